// How a run creates actors: it takes a cell and a home shard for each, and installs their behaviours at the commit.
#pragma once

#include <cstdint>
#include <vector>

#include "actors/cells/cell_store.hpp"
#include "actors/common/names.hpp"
#include "actors/intake/outside_creations.hpp"
#include "actors/staging/run_state.hpp"
#include "base/block_queue.hpp"
#include "tact/detail/creation_options.hpp"
#include "tact/detail/loop_place.hpp"

namespace tact::actors {

class admission;
class reclaimer;

// Invariant: an actor is installed before the become of the run that creates it is seen, because whichever worker runs
// the new behaviour may send to the actor at once.
// Thread safety: the thread of the run only.
class creations {
 public:
  // `notes_sites`: where actors are created is noted, for the report of those that are alive at the end.
  creations(run_state& r, outside_creations& outside, bool notes_sites);

  // Creates an actor that exists from the commit on. `first` may be null: then only an address is created, and install
  // gives it its behaviour. `first` is taken over, also when this throws.
  // `run` is the run of this object.
  [[nodiscard]] port create(run_state& run, closure& first, placement where);
  [[nodiscard]] port reserve(run_state& run, placement where);
  [[nodiscard]] port create(closure* first, actor_kind kind, creation_options&& about);
  void install(port at, closure& first);  // throws usage_error when the address was forgotten by discard
  // Creates the address of a handler that waits for an answer, which comes to the shard `home`.
  // Throws std::bad_alloc.
  [[nodiscard]] port create_waiter(std::uint32_t home, mailbox::route::kind kind);

  // Creates the address of an effect of the actor that runs: in its shard, if that is exclusive. Throws std::bad_alloc,
  // and ends the effect before.
  [[nodiscard]] port create_beside(closure& effect);
  // The actor that was made is a one-shot of the actor that runs, or the customer of its ask: for reports.
  void note_asker(port made) noexcept;

  // -- at the end of the run. `run` is the run of this object.
  static void install_all(run_state& run) noexcept {
    for (const auto& made : run.journal().creations()) {
      if (made.behavior == nullptr) {
        run.journal().note_other();
        continue;
      }
      // The actor may have run and ended as soon as it is installed, so it is counted before.
      cell& c = cell_of(made.address);
      run.counts().now.created += !c.where().is_one_shot();
      if (made.behavior->type->may_owe) static_cast<owing*>(made.behavior)->owed = run.debt().deferred();
      c.install(*made.behavior);
    }
    run.worker().end_row();
  }
  // Addresses that got no behaviour are given up, blocking actors start, members enter their scopes.
  void commit_rare(admission& limits, reclaimer& frees) noexcept;
  void forget() noexcept;

 private:
  [[nodiscard]] port create(run_state& run, closure* first, mailbox::route::kind kind, placement where,
                            const loop_place& loop = {});
  // An exclusive actor, in the next shard.
  [[nodiscard]] port create_in_run(run_state& run, closure* first);
  // An actor whose cell lies in no run.
  [[nodiscard]] port create_single(run_state& run, closure* first, mailbox::route::kind kind, placement where,
                                   const loop_place& loop);
  void make_room(closure* first, mailbox::route where);
  [[nodiscard]] std::uint32_t office_of(std::uint32_t shard) const noexcept;
  [[nodiscard]] port create_rare(closure* first, mailbox::route::kind kind, placement where, const loop_place& loop);
  [[nodiscard]] port create_at(run_state& run, std::uint32_t home, closure* first, mailbox::route::kind kind) noexcept;
  [[nodiscard]] port create_apart(closure* first, mailbox::route::kind kind, placement where, const loop_place& loop);
  [[nodiscard]] port create_for_once(std::uint32_t home, closure* first, mailbox::route::kind kind) noexcept;
  [[nodiscard]] static std::uint32_t next_home(run_state& run) noexcept {
    return run.worker().next_shard(run.journal().creations().size());
  }

  run_state& run_;
  cell_cache& cells_;
  const placement apart_from_;  // for this placement and all after it, creating an actor takes more than the next shard
  outside_creations& outside_;
  const bool notes_sites_;
  std::vector<std::uint32_t> blocking_homes_;  // shards for blocking actors that this run has taken
  base::block_queue<port> made_in_scopes_;     // members of scopes that this run has created
};

}  // namespace tact::actors
