// The place of a blocking actor: which thread owns it now, and when the slot's thread may look at the slot's shard.
#pragma once

#include <cstdint>

#include "sync/eventcount.hpp"
#include "sync/policy.hpp"

namespace tact::dispatch {

// A slot stands for one shard and the one thread that runs it.
//
//   free      no owner        creator -> starting (take); thread -> ending (enter), when something came
//   starting  the creator's   creator -> serving (serve) at its commit, -> free (give_back) when it does not commit
//   serving   its actor's     thread -> ending (end), in the run that ends the actor
//   ending    the thread's    thread -> free (leave), when all of that run is over and accounted for
//
// Messages may come in every state: an address outlives its actor, and a creator may give it away before its commit.
//
// Thread safety: take from any thread; serve and give_back by the creator that took the slot; enter, end, leave and
// idle by the slot's thread; wake from any thread, after a seq_cst change of what the slot's thread looks at.
//
// Invariants
// 1. A slot has one actor at most: free is left by compare-and-swap.
// 2. The thread looks at the shard only while the slot is serving or ending: nothing of an actor runs before its
//    creator has committed, and a creator that does not commit ends its actor alone.
// 3. A slot is free only when the last run of its actor is over, so no actor waits for the end of another.
// 4. A thread sleeps only after it has announced that, and has then found nothing that it may do. A thread that gives
//    it something to do changes the state or the shard first, and then wakes it.
// Protocol page: docs/protocols/blocking.md.
template <class Sync>
class blocking_slot {
 public:
  enum class state : std::uint32_t { free, starting, serving, ending };

  // -- creators
  [[nodiscard]] bool take() noexcept {
    state expected = state::free;
    return state_.load() == state::free && state_.compare_exchange_strong(expected, state::starting);
  }
  void serve() noexcept {
    state_.exchange(state::serving);
    if (!Sync::planted(sync::fault::serve_without_wake)) wake();
  }
  void give_back() noexcept {
    state_.exchange(state::free);
    if (!Sync::planted(sync::fault::give_back_without_wake)) wake();
  }

  // The slot will be free as soon as its thread has finished with the actor that has ended.
  [[nodiscard]] bool is_ending() const noexcept { return state_.load() == state::ending; }

  void wake() noexcept { wakeups_.notify(); }

  // -- the slot's thread
  // True: the thread may hold the shard until it calls leave.
  [[nodiscard]] bool enter() noexcept {
    state seen = state_.load();
    if (Sync::planted(sync::fault::runs_while_starting)) return true;
    // The messages are for actors that have ended. While the thread buries them, no creator can take the slot.
    while (seen == state::free) {
      if (Sync::planted(sync::fault::buries_while_free)) return true;
      if (state_.compare_exchange_weak(seen, state::ending)) return true;
    }
    return seen == state::serving;
  }
  // The slot's actor has ended in the run that is still going on.
  void end() noexcept { state_.exchange(Sync::planted(sync::fault::freed_in_last_run) ? state::free : state::ending); }
  // The thread has let go of the shard. True: the slot was ending, and is free now.
  bool leave() noexcept {
    if (state_.load() != state::ending) return false;
    state_.exchange(state::free);
    return true;
  }
  // Sleeps until the thread is woken; but not if `something()` is there to do. False: the deadline passed first.
  template <class Something>
  bool idle(Something something, sync::deadline until = {}) noexcept {
    const auto ticket = wakeups_.prepare();
    if (!Sync::planted(sync::fault::idle_without_recheck) && something()) {
      wakeups_.cancel();
      return true;
    }
    return wakeups_.wait(ticket, until);
  }
  // May the thread look at the shard? The answer is exact between prepare and wait. REQUIRES: called by the slot's
  // thread.
  [[nodiscard]] bool may_enter() const noexcept { return state_.load() != state::starting; }

 private:
  typename Sync::template atomic<state> state_{state::free};
  sync::eventcount<Sync> wakeups_;
};

}  // namespace tact::dispatch
