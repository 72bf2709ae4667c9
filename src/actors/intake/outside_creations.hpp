// The actors that threads outside of handlers create.
#pragma once

#include <cstdint>
#include <optional>

#include "actors/cells/cell.hpp"
#include "actors/cells/cell_store.hpp"
#include "actors/common/names.hpp"
#include "actors/counts/tally.hpp"
#include "dispatch/dispatcher.hpp"
#include "sync/policy.hpp"
#include "tact/detail/core.hpp"
#include "tact/detail/loop_place.hpp"
#include "tact/detail/trace_sink.hpp"
#include "tact/placement.hpp"

namespace tact::actors {

// Takes cells for actors, gives the actors their home shards, and takes back the cells of actors that never began.
// Thread safety: any thread may call everything here. Invariant: threads outside take no part in the epochs, so a cell
// that one of them gives up waits in a list until a worker retires it.
class outside_creations {
 public:
  outside_creations(dispatch::dispatcher& workers, cell_store& cells, const engine_identity& identity,
                    outside_tally& counted, unsigned blocking_max) noexcept
      : workers_(workers), cells_(cells), identity_(identity), counted_(counted), blocking_max_(blocking_max) {}
  outside_creations(const outside_creations&) = delete;
  outside_creations& operator=(const outside_creations&) = delete;

  // Takes a cell for an actor that is created outside, and gives it a home shard. Throws what reserved_home throws, and
  // std::bad_alloc.
  [[nodiscard]] port reserve(mailbox::route::kind kind, placement where, const loop_place& loop,
                             bool has_mailbox = false);
  // The shard for a heavy actor, a blocking actor or an actor on a loop. No value: the actor gets an ordinary shard.
  // Throws tact::usage_error when there are too many blocking actors, and for a loop that has ended or belongs to
  // another engine; std::system_error when the system gives no thread.
  [[nodiscard]] std::optional<std::uint32_t> reserved_home(placement where, const loop_place& loop);
  void create(cell& c, closure& first) noexcept;
  // False: the asker has been told meanwhile. `recorded`, if it is not null, hears of an ask that is given up.
  [[nodiscard]] bool withdraw(port asker, detail::trace_sink* recorded) noexcept;
  // Gives up a cell that holds no actor.
  void abandon(cell& c) noexcept;
  // The cells that were given up since the last call, as a list by next_withdrawn. The caller retires them.
  [[nodiscard]] cell* take_withdrawn() noexcept;

 private:
  void put_withdrawn(cell& c) noexcept;
  [[nodiscard]] std::uint32_t next_shard() noexcept;
  // For an exclusive actor in the next shard. Throws std::bad_alloc.
  [[nodiscard]] port reserve_in_run();
  [[nodiscard]] std::optional<std::uint32_t> home_on(const loop_place& loop);

  dispatch::dispatcher& workers_;
  cell_store& cells_;
  const engine_identity& identity_;
  outside_tally& counted_;
  const unsigned blocking_max_;
  sync::atomic<cell*> withdrawn_{nullptr};  // a list by next_withdrawn; taken as a whole
};

}  // namespace tact::actors
