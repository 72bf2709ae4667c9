// When a parallel actor goes home, so that one worker runs its messages, and when it is parallel again.
// docs/protocols/commit.md.
#pragma once

#include <cstdint>

#include "actors/cells/cell.hpp"
#include "actors/common/names.hpp"
#include "actors/staging/run_state.hpp"

namespace tact::actors {

// All of it decides about speed only: a wrong guess costs collisions or idle workers, and no guarantee.
// Invariant: only the holder of the home shard writes the word of an actor that is at home.
// Thread safety: the thread of the run only.
class homing {
 public:
  homing(run_state& r, unsigned home_stretch) noexcept : run_(r), home_stretch_(home_stretch) {}

  void go_home(cell& c) noexcept;
  // Called when a become was committed by compare-and-swap: the actor goes home if all its becomes are made here.
  void note_commit(cell& c) noexcept {
    if (becomes_alone(c)) go_home(c);
  }
  // Called behind a run of an actor at home, by the holder: decides whether the actor stays there. `seen`: its word
  // before the run.
  void note_run_at_home(unsigned index, cell& c, cell::word_value seen) noexcept;
  // True: the message may be run on this worker, which does not hold the actor's home, from the behaviour that is in
  // the word now. If it becomes after all, that run was in vain.
  [[nodiscard]] bool may_run_away(const mailbox::envelope& e, const cell& c) const noexcept;
  // Called behind such a run.
  void note_run_away(cell& c) noexcept;

 private:
  [[nodiscard]] bool becomes_alone(const cell& c) noexcept;
  [[nodiscard]] bool stays_open(unsigned index, cell& c, bool became) noexcept;

  run_state& run_;
  const unsigned home_stretch_;
  // The parallel actor whose becomes were committed here in a row, and how many messages had been committed when the
  // row began.
  struct {
    const cell* actor = nullptr;
    std::uint64_t since = 0;
    unsigned times = 0;
  } becoming_;
  unsigned runs_away_ = 0;  // runs here of messages for actors that are at home elsewhere
};

}  // namespace tact::actors
