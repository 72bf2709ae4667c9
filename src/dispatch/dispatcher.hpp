// The dispatcher of an engine: the exchange, and all threads that meet there.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "dispatch/exchange/exchange.hpp"
#include "dispatch/exchange/visitor_calls.hpp"
#include "dispatch/visitors/helper_places.hpp"
#include "dispatch/visitors/pump.hpp"
#include "dispatch/visitors/reserved_homes.hpp"
#include "dispatch/workers/crew.hpp"
#include "dispatch/workers/running_workers.hpp"
#include "dispatch/workers/worker.hpp"
#include "dispatch/workers/workforce.hpp"
#include "sync/mutex.hpp"
#include "tact/placement.hpp"
#include "tact/stealing.hpp"

namespace tact::dispatch {

// Makes the threads of an engine, and starts and ends them. It composes them, and none of them knows it. Invariant:
// after stop no thread is started, so the number of threads that must end is known. Thread safety: as each section
// says.
class dispatcher : public exchange {
 public:
  // Makes one worker for each seat of the plan; a plan without seats makes one worker that has no thread of its own.
  // The first `running` workers run at first, all of them if that is 0. REQUIRES: there is an ordinary shard for each
  // worker. `rests`: workers rest while fewer handle more messages.
  dispatcher(placement_plan plan, extent size, victim_policy victims, unsigned running = 0, bool rests = false,
             base::page_binder bind = nullptr)
      : dispatcher(plan.seats.empty(), std::move(plan), size, std::move(victims), running, rests, bind) {}

  // -- from the thread that starts and ends the engine
  // `wake`: see pump; an engine with worker threads does not use it. Throws std::system_error when the system gives
  // fewer threads than asked for; then none runs.
  void start(std::function<std::unique_ptr<runner>(worker_context&)> make_runner, std::function<void()> wake = {});
  // Asks all threads to end after the message that each runs now.
  void stop() noexcept;
  // False: the deadline has passed, and some threads still run.
  [[nodiscard]] bool wait_stopped(sync::deadline until) noexcept;
  void join() noexcept;
  // As wait_stopped, for a thread of the engine itself: it waits for all the others.
  void wait_for_others(sync::deadline until) noexcept;

  // -- in a process that was forked from the one in which the dispatcher lives
  // Only the calling thread was copied into this process; it may be a thread of the dispatcher. The dispatcher stops,
  // and takes no message from outside.
  void leave_behind() noexcept;
  [[nodiscard]] bool is_left_behind() const noexcept { return threads().are_left_behind(); }
  void look_whether_left_behind(const char* what) const noexcept { threads().look_whether_left_behind(what); }

  // -- from any thread that is not a worker's
  // See workforce::change.
  [[nodiscard]] bool change_workers(unsigned wanted) { return workforce_.change(wanted); }

  // -- from a thread outside
  // See helper_places::help.
  template <class Reached>
  void help(Reached reached) noexcept {
    helpers_.help(reached);
  }

  // -- the threads, from any thread
  [[nodiscard]] reserved_homes& homes() noexcept { return homes_; }
  [[nodiscard]] const reserved_homes& homes() const noexcept { return homes_; }
  [[nodiscard]] const std::vector<std::unique_ptr<worker>>& workers() const noexcept { return workers_; }
  [[nodiscard]] const std::vector<std::unique_ptr<helper>>& helpers() const noexcept { return helpers_.all(); }
  // The pump that drives the worker of an engine without worker threads; null: the workers have threads.
  [[nodiscard]] dispatch::pump* pump() const noexcept { return pump_.get(); }
  // See running_workers::run_only.
  [[nodiscard]] bool run_only(unsigned wanted) noexcept { return running_workers_.run_only(wanted); }
  // The number of messages in a shard that no holder has taken yet; exact while no thread sends.
  [[nodiscard]] std::uint64_t depth(std::uint32_t shard) const noexcept;
  // Retires an object to which no shared word leads any more. It is for the threads of blocking actors.
  void retire_outside(void* object, epochs::finalizer fin, void* context) noexcept;

 private:
  dispatcher(bool is_pumped, placement_plan&& plan, extent size, victim_policy victims, unsigned running, bool rests,
             base::page_binder bind);
  [[nodiscard]] bool has_stopped(std::uint32_t threads) const noexcept;

  class calls final : public visitor_calls {
   public:
    explicit calls(dispatcher& owner) noexcept : owner_(owner) {}
    void call_reserved(std::uint32_t shard) noexcept override { owner_.homes_.wake(shard); }
    void call_pump() noexcept override {
      if (owner_.pump_ != nullptr) owner_.pump_->announce();
    }
    void trim_places() noexcept override { owner_.helpers_.trim(); }

   private:
    dispatcher& owner_;
  };

  const bool is_pumped_;  // the one worker has no thread of its own
  std::function<std::unique_ptr<runner>(worker_context&)> make_runner_;
  running_workers running_workers_;
  dispatch::crew crew_;
  helper_places helpers_;
  std::vector<std::unique_ptr<worker>> workers_;
  reserved_homes homes_;
  calls calls_{*this};
  sync::mutex retiring_mutex_;  // guards the epoch record of retire_outside
  // The members below end first: each waits in its destructor until no thread is inside it any more.
  dispatch::workforce workforce_;
  std::unique_ptr<dispatch::pump> pump_;
};

}  // namespace tact::dispatch
