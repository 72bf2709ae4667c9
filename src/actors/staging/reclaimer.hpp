// When what a run has replaced or ended is freed: at once where no other thread can see it, else when every thread that
// may see it has moved on. docs/protocols/epochs.md.
#pragma once

#include <array>

#include "actors/cells/cell.hpp"
#include "actors/cells/cell_store.hpp"
#include "actors/cells/closures.hpp"
#include "actors/cells/disposal.hpp"
#include "actors/cells/pinned_closures.hpp"
#include "actors/common/names.hpp"
#include "actors/intake/outside_creations.hpp"
#include "actors/staging/run_state.hpp"
#include "dispatch/exchange/epoch.hpp"

namespace tact::actors {

// Invariants: what another thread may still look at goes through the epochs; behaviours that a waiting handler has
// pinned are freed by the one that unpins them; between two lanes nothing lies aside.
//
// While a worker is the only one online it frees at once what it has unlinked. To know that for certain takes a
// read-modify-write, which waits for all that the thread has written before. So what it unlinks lies aside until some
// of it has come together, or the worker looks up, and one question is asked for all. Thread safety: the thread of the
// run only.
class reclaimer {
 public:
  reclaimer(run_state& r, const disposal& d, outside_creations& outside) noexcept
      : run_(r), cells_(r.cells()), pins_(d.pins), store_(d.cells), outside_(outside) {}

  // The run has replaced the closure of `seen`, and disposes of it. `run`, here and below, is the run of this
  // reclaimer, which its callers have in a register.
  void end_replaced(run_state& run, cell& c, cell::word_value seen) noexcept {
    // The behaviours of an exclusive actor are seen by the holder of its shard only.
    if (seen.is_sole() || c.where().is_exclusive() || run.is_alone()) return end_unseen(*seen.closure());
    if (!c.has_metadata()) return retire(run, *seen.closure());
    // A thread may wait for it, so it does not wait for others.
    is_unseen(run) ? end_unseen(*seen.closure()) : retire_of_member(c, *seen.closure());
  }
  // Frees a closure, or a cell, that no word leads to any more.
  void retire(run_state& run, closure& old) noexcept {
    if (run.is_alone()) return end_unseen(old);
    may_be_unseen(run) ? put_aside({&old, nullptr}) : retire_shared(old);
  }
  void retire(run_state& run, cell& c) noexcept {
    if (run.is_alone()) return cells_.give(c);
    may_be_unseen(run) ? put_aside({nullptr, &c}) : retire_shared(c);
  }
  // Frees a cell with metadata that no word leads to any more. `leaves_scope`: its actor leaves its scope as soon as
  // the cell is free.
  void retire_with_metadata(cell& c, bool leaves_scope) noexcept;
  // Gives up a cell that never held an actor, or holds none any more.
  void give_up(cell& c) noexcept;
  // Gives up the cell of a one-shot that was served: see cell::was_served.
  void give_up_served(cell& c) noexcept;
  // Retires the cells that threads outside have given up.
  void adopt_withdrawn() noexcept;
  // Asks whether what has come together may be freed, and frees it, or has it wait for the epochs. To be called before
  // a quiescent moment is announced.
  void settle() noexcept {
    if (count_aside_ != 0) settle_all();
  }

 private:
  struct unlinked {
    closure* behavior;
    cell* of;  // one of the two is null
  };
  static constexpr unsigned aside_most = 16;  // about a kibibyte, so that it stays in the nearest cache

  // Perhaps no other worker is online. While no lane is run no look would ask again, so then nothing is put aside.
  [[nodiscard]] static bool may_be_unseen(run_state& run) noexcept {
    return run.at().runs_lane() && !run.worker().is_blocking() && run.workers().reclamation().may_be_only_one_online();
  }
  [[nodiscard]] static bool is_unseen(run_state& run) noexcept {
    return !run.worker().is_blocking() && run.workers().reclamation().is_only_one_online();
  }
  void put_aside(unlinked u) noexcept {
    aside_[count_aside_++] = u;
    if (count_aside_ == aside_most) settle_all();
  }
  void settle_all() noexcept;
  // Ends a closure that no other worker sees. Only handlers that wait for an answer may still need it.
  void end_unseen(closure& old) noexcept {
    if (!pins_.put_off(old, &destroy_behavior, nullptr)) end_closure(old, allocation::delete_);
  }
  static void destroy_behavior(void* behavior, void*) noexcept;
  void retire_of_member(cell& c, closure& old) noexcept;
  void retire_shared(closure& old) noexcept;
  void retire_shared(cell& c) noexcept;
  void retire_shared(void* object, dispatch::epochs::finalizer fin, void* with) noexcept;
  void hasten() noexcept;

  run_state& run_;
  cell_cache& cells_;
  pinned_closures& pins_;
  cell_store& store_;
  outside_creations& outside_;
  unsigned count_aside_ = 0;
  std::array<unlinked, aside_most> aside_{};
};

}  // namespace tact::actors
