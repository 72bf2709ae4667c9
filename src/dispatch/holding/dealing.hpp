// How messages for several shards that lie in one queue are moved to where each belongs. docs/protocols/office.md.
#pragma once

#include <cstdint>
#include <optional>

#include "base/blocks.hpp"
#include "mailbox/copy_queue.hpp"
#include "mailbox/envelope.hpp"

namespace tact::dispatch {

// Both functions take the messages in the order of the queue, so that each actor's messages stay in order. `bound_for`
// returns the ordinary shard that an envelope must come to, or none if the message may run anywhere.

// The shards to which one office deals out what may run anywhere, so that other threads can take it: those of the
// office in turn. A shard that is held is passed over, because a handler that takes long may run there; when all those
// of the office are held, which can be one worker that holds them together, any other shard will do.
template <class Context>
class anywhere {
 public:
  anywhere(Context& at, typename Context::office& from) noexcept : at_(at), from_(from) {}

  [[nodiscard]] std::uint32_t next() noexcept {
    const std::uint32_t turn = from_.turn++;
    if (all_held_) return of_office(turn);
    for (std::uint32_t i = 0; i < from_.shards; ++i) {
      if (!is_held(of_office(turn + i))) return of_office(turn + i);
    }
    const std::uint32_t all = at_.exchange().mail().ordinary_shards();
    for (std::uint32_t i = 0; i < all; ++i) {
      if (!is_held((turn + i) % all)) return (turn + i) % all;
    }
    all_held_ = true;
    return of_office(turn);
  }

 private:
  [[nodiscard]] std::uint32_t of_office(std::uint32_t turn) const noexcept {
    return from_.index + turn % from_.shards * at_.exchange().worker_count();
  }
  [[nodiscard]] bool is_held(std::uint32_t shard) const noexcept {
    return at_.exchange().mail().shard_at(shard).word.is_held();
  }

  Context& at_;
  typename Context::office& from_;
  bool all_held_ = false;
};

// Moves all messages that wait in an office. Into this lane go those that are for the lane's own shard, for a joined
// shard, for a shard that the worker context takes in now, or for no particular shard. All others, and all of them if
// there is no lane, go into the outboxes of their shards. REQUIRES: the worker context holds the office.
template <class Context, class BoundFor>
void deal_out(Context& at, typename Context::office& from, typename Context::shard* into, BoundFor bound_for) noexcept {
  const base::may_use_reserve sure;
  auto& mail = at.exchange().mail();
  const auto takes = [&](std::uint32_t shard) { return at.held().has(shard) || at.take_in(mail.shard_at(shard)); };
  anywhere<Context> others(at, from);
  while (!from.waiting.empty()) {
    mailbox::envelope& e = from.waiting.front();
    const std::optional<std::uint32_t> bound = bound_for(e);
    // A chunk with messages for one actor, as another one fills it that sends it many, is moved as it is.
    if (bound && from.waiting.only_target_of_head() != mailbox::chunk::several) {
      mailbox::copy_queue& to = into != nullptr && takes(*bound) ? into->lane : at.outboxes().open(*bound).queue;
      to.append(from.waiting.take_head(), at.chunks());
      continue;
    }
    const bool is_here = into != nullptr && (!bound || takes(*bound));
    mailbox::copy_queue& to = is_here ? into->lane : at.outboxes().open(bound ? *bound : others.next()).queue;
    const unsigned slots = e.slots();
    e.relocate(to.reserve(slots, at.chunks()));
    from.waiting.pop(slots, at.chunks());
  }
  from.waiting.recycle(at.chunks());
}

// Moves the messages for joined shards from the lane that is run back to the lane of each. Returns how many messages
// lay in the lane that is run: moving messages back and forth must not cost more than running them, so the caller does
// not join again before it has run as many.
template <class Context, class BoundFor>
std::uint64_t separate(Context& at, typename Context::shard& held, BoundFor bound_for) noexcept {
  const base::may_use_reserve sure;
  std::uint64_t waiting = 0;
  for (std::size_t left = held.lane.slots_waiting(); left != 0; ++waiting) {
    mailbox::envelope& e = held.lane.front();
    const std::optional<std::uint32_t> bound = bound_for(e);
    const bool elsewhere = bound && *bound != held.number && at.held().has(*bound);
    const unsigned slots = e.slots();
    mailbox::copy_queue& to = elsewhere ? at.exchange().mail().shard_at(*bound).lane : held.lane;
    e.relocate(to.reserve(slots, at.chunks()));
    held.lane.pop(slots, at.chunks());
    left -= slots;
  }
  return waiting;
}

}  // namespace tact::dispatch
