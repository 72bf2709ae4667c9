// What a worker shows to other threads, and the event on which it sleeps.
#pragma once

#include <cstdint>

#include "sync/eventcount.hpp"
#include "sync/owned_counter.hpp"
#include "sync/policy.hpp"
#include "tact/stealing.hpp"

namespace tact::dispatch {

// Other threads know a worker by this alone: they read what it says of itself, and wake it. Thread safety: as each
// section says. Invariant: only the worker writes what it shows, so that is a hint, and may be old a moment later.
class worker_status {
 public:
  worker_status() noexcept { stamp_.set(steal_view::no_stamp); }
  worker_status(const worker_status&) = delete;
  worker_status& operator=(const worker_status&) = delete;

  // -- from any thread
  void wake() noexcept { wakeups_.notify(); }  // REQUIRES: the caller made a seq_cst change to what the worker looks at
  [[nodiscard]] bool sleeps() const noexcept { return wakeups_.has_waiters(); }  // a hint
  // The engine's logical clock when the worker took up the shard that it runs; see tact::steal_view.
  [[nodiscard]] std::uint64_t stamp() const noexcept { return stamp_.read(); }
  [[nodiscard]] bool has_nothing() const noexcept { return stamp() == steal_view::no_stamp; }
  // The number of messages that it has handled, as of its last look between two messages.
  [[nodiscard]] std::uint64_t handled() const noexcept { return handled_.read(); }
  // For how long handlers have kept this worker by themselves (see cost_meter), as of the same look.
  [[nodiscard]] std::uint64_t kept_ns() const noexcept { return kept_ns_.read(); }
  // About how many messages wait in the lane that this worker runs, as of the same look.
  [[nodiscard]] std::uint64_t waiting() const noexcept { return waiting_.read(); }
  // The messages of this worker are worth moving to another worker: see lane_sharing.
  [[nodiscard]] bool is_worth_moving() const noexcept { return worth_moving_.read() != 0; }
  // The messages of this worker take long: see lane_sharing.
  [[nodiscard]] bool is_slow() const noexcept { return slow_.read() != 0; }
  // Another worker has exchanged shards with this one, which may hold some of them: it should part from what it holds.
  void ask_to_part() noexcept { asked_to_part_.store(true); }

  // -- from the worker
  void takes_up(std::uint64_t stamp) noexcept { stamp_.set(stamp); }
  void show_nothing() noexcept { stamp_.set(steal_view::no_stamp); }
  void show_work(std::uint64_t handled, std::uint64_t kept_ns, std::uint64_t waiting) noexcept {
    handled_.set(handled);
    kept_ns_.set(kept_ns);
    waiting_.set(waiting);
  }
  void show_none_waiting() noexcept { waiting_.set(0); }
  void show_pace(bool is_worth_moving, bool is_slow) noexcept {
    if (is_worth_moving != this->is_worth_moving()) worth_moving_.set(is_worth_moving ? 1 : 0);
    if (is_slow != this->is_slow()) slow_.set(is_slow ? 1 : 0);
  }
  // True once after each ask_to_part.
  [[nodiscard]] bool take_parting() noexcept { return asked_to_part_.load() && asked_to_part_.exchange(false); }
  [[nodiscard]] sync::eventcount<sync::real>& wakeups() noexcept { return wakeups_; }

 private:
  alignas(64) sync::owned_counter stamp_;
  sync::owned_counter worth_moving_;  // 0 or 1, read by thieves together with the stamp
  sync::owned_counter slow_;          // 0 or 1
  sync::owned_counter handled_;
  sync::owned_counter kept_ns_;
  sync::owned_counter waiting_;
  alignas(64) sync::eventcount<sync::real> wakeups_;
  sync::atomic<bool> asked_to_part_{false};
};

}  // namespace tact::dispatch
