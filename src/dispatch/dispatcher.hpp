// The dispatcher of an engine: it owns the communal mailbox, the workers, and what these share.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "dispatch/announcer.hpp"
#include "dispatch/communal_mailbox.hpp"
#include "dispatch/crew.hpp"
#include "dispatch/epoch.hpp"
#include "dispatch/helper.hpp"
#include "dispatch/posting.hpp"
#include "dispatch/pump.hpp"
#include "dispatch/reserved_homes.hpp"
#include "dispatch/stealing_state.hpp"
#include "dispatch/thread_roll.hpp"
#include "dispatch/worker.hpp"
#include "dispatch/workforce.hpp"
#include "sync/eventcount.hpp"
#include "sync/rundown.hpp"
#include "tact/placement.hpp"
#include "tact/stealing.hpp"

namespace tact::dispatch {

using epochs = epoch_domain<sync::real>;

// Holds the parts that the workers of an engine share, and starts and ends their threads. Invariant: after stop no
// thread is started, so the number of threads that must end is known. Thread safety: as each section says.
class dispatcher {
 public:
  // Makes one worker for each seat of the plan; a plan without seats makes one worker that has no thread of its own.
  // The first `running` workers run at first, all of them if that is 0. REQUIRES: there is an ordinary shard for each
  // worker. `rests`: workers rest while fewer handle more messages.
  dispatcher(placement_plan plan, extent size, victim_policy victims, unsigned running = 0, bool rests = false,
             base::page_binder bind = nullptr);
  dispatcher(const dispatcher&) = delete;
  dispatcher& operator=(const dispatcher&) = delete;

  // -- from the thread that starts and ends the engine
  // `wake`: see pump; an engine with worker threads does not use it.
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
  [[nodiscard]] bool is_left_behind() const noexcept { return left_behind_.load(); }
  // Ends the process if leave_behind was called in it. `what`: what the caller is doing, for the report.
  void look_whether_left_behind(const char* what) const noexcept;

  // -- for the workforce
  // Starts the thread of this worker. False: the dispatcher stops. Throws std::system_error when the system gives no
  // thread.
  [[nodiscard]] bool start_worker(unsigned index);

  // -- from any thread that is not a worker's
  // See workforce::change.
  [[nodiscard]] bool change_workers(unsigned wanted) { return workforce_.change(wanted); }

  // -- from a thread outside
  // Runs messages that wait, until `reached()`, the dispatcher stops, or nothing waits. Does nothing when all places
  // for helpers are taken.
  template <class Reached>
  void help(Reached reached) noexcept;

  // -- the parts, from any thread
  [[nodiscard]] communal_mailbox& mail() noexcept { return mail_; }
  [[nodiscard]] const communal_mailbox& mail() const noexcept { return mail_; }
  [[nodiscard]] dispatch::announcer& announcer() noexcept { return announcer_; }
  [[nodiscard]] const dispatch::announcer& announcer() const noexcept { return announcer_; }
  [[nodiscard]] stealing_state& stealing() noexcept { return stealing_; }
  [[nodiscard]] const stealing_state& stealing() const noexcept { return stealing_; }
  [[nodiscard]] dispatch::posting& posting() noexcept { return posting_; }
  [[nodiscard]] dispatch::crew& crew() noexcept { return crew_; }
  [[nodiscard]] reserved_homes& homes() noexcept { return homes_; }
  [[nodiscard]] const reserved_homes& homes() const noexcept { return homes_; }
  [[nodiscard]] epochs& reclamation() noexcept { return epochs_; }
  [[nodiscard]] const epochs& reclamation() const noexcept { return epochs_; }
  [[nodiscard]] const std::vector<std::unique_ptr<worker>>& workers() const noexcept { return workers_; }
  [[nodiscard]] const std::vector<std::unique_ptr<helper>>& helpers() const noexcept { return helpers_; }
  // The pump that drives the worker of an engine without worker threads; null: the workers have threads.
  [[nodiscard]] dispatch::pump* pump() const noexcept { return pump_.get(); }
  // Notified whenever a worker runs out of work; then threads that wait for quiet look at the counters again.
  [[nodiscard]] sync::eventcount<sync::real>& quiet_event() noexcept { return quiet_event_; }

  // -- from any thread
  [[nodiscard]] bool stopping() const noexcept { return threads_.stopping(); }
  [[nodiscard]] const placement_plan& plan() const noexcept { return plan_; }
  // The number of workers that there may be, and of those that run now, which are the first ones.
  [[nodiscard]] unsigned worker_count() const noexcept { return static_cast<unsigned>(plan_.seats.size()); }
  [[nodiscard]] unsigned running() const noexcept { return workforce_.running(); }
  // The number of workers that have a thread: those that run, and those that rest.
  [[nodiscard]] unsigned threads_of_workers() const noexcept { return workforce_.threads(); }
  [[nodiscard]] bool some_rest() const noexcept { return running() < threads_of_workers(); }
  // See workforce::run_only.
  [[nodiscard]] bool run_only(unsigned wanted) noexcept { return workforce_.run_only(wanted); }
  // Only one worker takes shards: no other worker runs, and no thread helps.
  [[nodiscard]] bool has_one_runner() const noexcept { return running() <= 1 && helping_.is_empty(); }
  // The number of messages in a shard that no holder has taken yet; exact while no thread sends.
  [[nodiscard]] std::uint64_t depth(std::uint32_t shard) const noexcept;
  // Gives back the memory of all places for helpers that no thread has taken.
  void trim_helpers() noexcept;
  void on_worker_end() noexcept;

  // The thread of a loop begins to run messages, and the end of the engine waits until it leaves. False: the engine has
  // ended.
  [[nodiscard]] bool enter_from_loop() noexcept {
    return in_loops_.try_enter([this] { return stopping(); });
  }
  void leave_from_loop() noexcept {
    in_loops_.leave();
    quiet_event_.notify();
  }
  // For the threads of blocking actors: retires an object to which no shared word leads any more.
  void retire_outside(void* object, epochs::finalizer fin, void* context) noexcept;

  // -- for the parts
  [[nodiscard]] thread_roll& threads() noexcept { return threads_; }
  [[nodiscard]] std::unique_ptr<runner> make_runner(worker_context& w) const { return make_runner_(w); }

 private:
  [[nodiscard]] bool has_stopped(std::uint32_t threads) const noexcept;

  const bool is_pumped_;  // the one worker has no thread of its own
  const placement_plan plan_;
  epochs epochs_;
  communal_mailbox mail_;
  dispatch::announcer announcer_;
  stealing_state stealing_;
  dispatch::posting posting_;
  dispatch::crew crew_;
  std::vector<std::unique_ptr<worker>> workers_;
  std::vector<std::unique_ptr<helper>> helpers_;
  sync::rundown<sync::real> helping_;
  sync::rundown<sync::real> in_loops_;
  std::function<std::unique_ptr<runner>(worker_context&)> make_runner_;
  thread_roll threads_;
  reserved_homes homes_;
  sync::mutex retiring_mutex_;  // guards the epoch record of retire_outside
  sync::eventcount<sync::real> quiet_event_;
  sync::atomic<bool> left_behind_{false};
  // The members below end first: each waits in its destructor until no thread is inside it any more.
  dispatch::workforce workforce_;
  std::unique_ptr<dispatch::pump> pump_;
  sync::waiting_rundown guests_;  // for threads that help
};

template <class Reached>
void dispatcher::help(Reached reached) noexcept {
  const sync::rundown<sync::real>::guest inside(guests_);
  for (const auto& h : helpers_) {
    if (!h->try_enter()) continue;
    const bool is_in = helping_.try_enter([this] { return stopping(); });
    if (is_in) h->work(reached);
    h->leave();
    if (is_in) helping_.leave();
    quiet_event_.notify();  // the thread that ends the engine waits there, as do those that wait for quiet
    return;
  }
}

}  // namespace tact::dispatch

// These parts ask the dispatcher, so their functions come behind it.
#include "dispatch/announcer_inline.hpp"
#include "dispatch/stealing_state_inline.hpp"
