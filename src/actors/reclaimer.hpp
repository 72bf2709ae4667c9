// When what a run has replaced or ended is freed: at once where no other thread can see it, else when every thread that
// may see it has moved on. docs/protocols/epochs.md.
#pragma once

#include "actors/cell.hpp"
#include "actors/cell_store.hpp"
#include "actors/failures.hpp"
#include "actors/run_state.hpp"
#include "dispatch/epoch.hpp"

namespace tact::detail {

// Invariant: what another thread may still look at goes through the epochs; behaviours that a waiting handler has
// pinned are freed by the one that unpins them.
// Thread safety: the thread of the run only.
class reclaimer {
 public:
  reclaimer(run_state& r, actors::cell_cache& cells) noexcept : run_(r), cells_(cells) {}

  // The run has replaced the closure of `seen`, and disposes of it. `run`, here and below, is the run of this
  // reclaimer, which its callers have in a register.
  void end_replaced(run_state& run, actors::cell& c, actors::cell::word_value seen) noexcept {
    // The behaviours of an exclusive actor are seen by the holder of its shard only.
    if (seen.is_sole() || c.where().is_exclusive() || is_unseen(run)) return end_unseen(run, *seen.closure());
    c.has_metadata() ? retire_of_member(c, *seen.closure()) : retire_shared(*seen.closure());
  }
  // Frees a closure, or a cell, that no word leads to any more.
  void retire(run_state& run, closure& old) noexcept { is_unseen(run) ? end_unseen(run, old) : retire_shared(old); }
  void retire(run_state& run, actors::cell& c) noexcept { is_unseen(run) ? cells_.give(c) : retire_shared(c); }
  // The same for a cell with metadata. `leaves_scope`: its actor leaves its scope as soon as the cell is free.
  void retire_with_metadata(actors::cell& c, bool leaves_scope) noexcept;
  // Gives up a cell that holds no actor any more, or never did. `served`: see cell::was_served.
  void give_up(actors::cell& c, bool served = false) noexcept;
  // Retires the cells that threads outside have given up.
  void adopt_withdrawn() noexcept;

 private:
  // No other thread sees what this run has unlinked: it is the only one that there is, or the others sleep.
  [[nodiscard]] static bool is_unseen(run_state& run) noexcept {
    return run.is_alone() || (!run.worker().is_blocking() && run.engine().workers().reclamation().is_only_one_online());
  }
  // Ends a closure that no other worker sees. Only handlers that wait for an answer may still need it.
  static void end_unseen(run_state& run, closure& old) noexcept {
    if (!run.engine().pins().put_off(old, &destroy_behavior, nullptr)) actors::end_closure(old, allocation::delete_);
  }
  static void destroy_behavior(void* behavior, void*) noexcept;
  void retire_of_member(actors::cell& c, closure& old) noexcept;
  void retire_shared(closure& old) noexcept;
  void retire_shared(actors::cell& c) noexcept;
  void retire_shared(void* object, dispatch::epochs::finalizer fin, void* with) noexcept;
  void hasten() noexcept;

  run_state& run_;
  actors::cell_cache& cells_;
};

}  // namespace tact::detail
