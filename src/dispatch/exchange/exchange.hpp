// What lies between the workers of an engine: the mailbox, who looks at which part of it, and how each is told.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "dispatch/exchange/communal_mailbox.hpp"
#include "dispatch/exchange/epoch.hpp"
#include "dispatch/exchange/posting.hpp"
#include "dispatch/exchange/stealing_state.hpp"
#include "dispatch/exchange/thread_roll.hpp"
#include "dispatch/exchange/waker.hpp"
#include "dispatch/exchange/worker_numbers.hpp"
#include "dispatch/exchange/worker_status.hpp"
#include "sync/eventcount.hpp"
#include "sync/rundown.hpp"
#include "tact/placement.hpp"
#include "tact/stealing.hpp"

namespace tact::dispatch {

// Threads that run messages meet here, and know nothing else of each other: workers, helpers, the threads of blocking
// actors, loops and pumps. It has no thread, and knows no actors. Invariant: its parts stay where they are for as long
// as the engine lives. Thread safety: any thread, unless a part says otherwise.
class exchange {
 public:
  // A place for each seat of the plan. The first `running` workers run at first, all of them if that is 0. REQUIRES:
  // the plan has a seat, and there is an ordinary shard for each worker.
  exchange(placement_plan plan, extent size, victim_policy victims, unsigned running, base::page_binder bind);
  exchange(const exchange&) = delete;
  exchange& operator=(const exchange&) = delete;

  [[nodiscard]] communal_mailbox& mail() noexcept { return mail_; }
  [[nodiscard]] const communal_mailbox& mail() const noexcept { return mail_; }
  [[nodiscard]] dispatch::waker& waker() noexcept { return waker_; }
  [[nodiscard]] const dispatch::waker& waker() const noexcept { return waker_; }
  [[nodiscard]] stealing_state& stealing() noexcept { return stealing_; }
  [[nodiscard]] const stealing_state& stealing() const noexcept { return stealing_; }
  [[nodiscard]] dispatch::posting& posting() noexcept { return posting_; }
  [[nodiscard]] epochs& reclamation() noexcept { return epochs_; }
  [[nodiscard]] const epochs& reclamation() const noexcept { return epochs_; }
  // Notified whenever a worker runs out of work; then threads that wait for quiet look at the counters again.
  [[nodiscard]] sync::eventcount<sync::real>& quiet_event() noexcept { return quiet_event_; }
  [[nodiscard]] thread_roll& threads() noexcept { return threads_; }
  [[nodiscard]] const thread_roll& threads() const noexcept { return threads_; }
  [[nodiscard]] bool stopping() const noexcept { return threads_.stopping(); }
  [[nodiscard]] const placement_plan& plan() const noexcept { return plan_; }

  // -- the workers
  [[nodiscard]] worker_status& status_of(unsigned worker) noexcept { return *status_[worker]; }
  [[nodiscard]] const worker_status& status_of(unsigned worker) const noexcept { return *status_[worker]; }
  [[nodiscard]] worker_numbers& numbers() noexcept { return numbers_; }
  // The number of workers that there may be, and of those that run now, which are the first ones.
  [[nodiscard]] unsigned worker_count() const noexcept { return numbers_.most(); }
  [[nodiscard]] unsigned running() const noexcept { return numbers_.running(); }
  // The number of workers that have a thread: those that run, and those that rest.
  [[nodiscard]] unsigned threads_of_workers() const noexcept { return numbers_.threads(); }
  [[nodiscard]] bool some_rest() const noexcept { return numbers_.some_rest(); }
  // Only one worker takes shards: no other worker runs, and no thread helps.
  [[nodiscard]] bool has_one_runner() const noexcept { return running() <= 1 && helping_.is_empty(); }
  // Has an office or a shard at which this worker looks messages that no thread takes?
  [[nodiscard]] bool anything_eligible(unsigned worker) const noexcept {
    return waker_.any_office_eligible(worker) || stealing_.table().anything_eligible(worker);
  }

  // -- visitors: threads from outside that run messages for a while. The end of the engine waits until they have left.
  // False: the engine stops.
  [[nodiscard]] bool enter_to_help() noexcept { return enter(helping_); }
  void leave_helping() noexcept { leave(helping_); }
  [[nodiscard]] bool enter_from_loop() noexcept { return enter(in_loops_); }
  void leave_from_loop() noexcept { leave(in_loops_); }
  [[nodiscard]] bool has_visitors() const noexcept { return !helping_.is_empty() || !in_loops_.is_empty(); }

  // The calling thread of the engine ends.
  void on_thread_end() noexcept;

 private:
  // The thread that ends the engine waits for the quiet event, as do those that wait for quiet. A thread that finds the
  // engine stopping was counted for a moment, so it notifies as well.
  [[nodiscard]] bool enter(sync::rundown<sync::real>& visitors) noexcept {
    const bool is_in = visitors.try_enter([this] { return stopping(); });
    if (!is_in) quiet_event_.notify();
    return is_in;
  }
  void leave(sync::rundown<sync::real>& visitors) noexcept {
    visitors.leave();
    quiet_event_.notify();
  }

  const placement_plan plan_;
  worker_numbers numbers_;
  std::vector<std::unique_ptr<worker_status>> status_;  // by worker
  epochs epochs_;
  communal_mailbox mail_;
  dispatch::waker waker_;
  stealing_state stealing_;
  dispatch::posting posting_;
  sync::rundown<sync::real> helping_;
  sync::rundown<sync::real> in_loops_;
  thread_roll threads_;
  sync::eventcount<sync::real> quiet_event_;
};

}  // namespace tact::dispatch
