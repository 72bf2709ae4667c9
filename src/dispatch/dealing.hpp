// How messages for several shards that lie in one queue come to where each belongs. docs/protocols/office.md.
#pragma once

#include <cstdint>
#include <optional>

#include "base/blocks.hpp"
#include "mailbox/copy_queue.hpp"
#include "mailbox/envelope.hpp"

namespace tact::dispatch {

// Both go through the queue in turn, so that each actor's messages stay in order. `bound_for` tells of an envelope the
// ordinary shard that it has to come to; none if it may be run anywhere.

// Moves what waits in an office on: into this lane what is for it, for a joined shard, for one that the desk takes in
// now, or for no particular one; else, and if there is no lane, into the outbox of its shard. REQUIRES: the desk holds
// the office.
template <class Desk, class BoundFor>
void deal_out(Desk& at, typename Desk::office& from, typename Desk::shard* into, BoundFor bound_for) noexcept {
  const base::may_use_reserve sure;
  auto& owner = at.owner();
  const auto takes = [&](std::uint32_t shard) { return at.held().has(shard) || at.take_in(owner.shard_at(shard)); };
  while (!from.waiting.empty()) {
    mailbox::envelope& e = from.waiting.front();
    const std::optional<std::uint32_t> bound = bound_for(e);
    const bool is_here = into != nullptr && (!bound || takes(*bound));
    // What may be run anywhere goes round over the shards of the office, for others to take some.
    const std::uint32_t next = bound ? *bound : from.index + from.round++ % from.shards * owner.worker_count();
    mailbox::copy_queue& to = is_here ? into->lane : at.outboxes().open(next).queue;
    const unsigned slots = e.slots();
    e.relocate(to.reserve(slots, at.chunks()));
    from.waiting.pop(slots, at.chunks());
  }
  from.waiting.recycle(at.chunks());
}

// Gives each joined shard back what lies for it in the lane of the one that is run. To move messages back and forth
// must not cost more than to run them. Returns how many there were.
template <class Desk, class BoundFor>
std::uint64_t part(Desk& at, typename Desk::shard& held, BoundFor bound_for) noexcept {
  const base::may_use_reserve sure;
  std::uint64_t waiting = 0;
  for (std::size_t left = held.lane.slots_waiting(); left != 0; ++waiting) {
    mailbox::envelope& e = held.lane.front();
    const std::optional<std::uint32_t> bound = bound_for(e);
    const bool elsewhere = bound && *bound != held.number && at.held().has(*bound);
    const unsigned slots = e.slots();
    mailbox::copy_queue& to = elsewhere ? at.owner().shard_at(*bound).lane : held.lane;
    e.relocate(to.reserve(slots, at.chunks()));
    held.lane.pop(slots, at.chunks());
    left -= slots;
  }
  return waiting;
}

}  // namespace tact::dispatch
