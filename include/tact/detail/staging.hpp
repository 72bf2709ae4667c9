// How a message is staged. Most messages stay with the worker: so their staging is written here, to be inlined into the
// caller's own code. docs/decisions/0007-staging-in-the-senders-code.md.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <new>

#include "tact/detail/description.hpp"

namespace tact::detail {

struct context_node;

// The tail of a queue of envelopes.
struct queue_tail {
  std::byte* write = nullptr;  // the next free slot
  std::byte* end = nullptr;    // the end of the chunk in which `write` lies
};

// The route of an actor (actors::route) says where messages for it go, and is all that senders read of it. It lies
// apart from the actor's cell, together with the routes of the other cells of its slab, because the cells of many
// actors do not fit into a cache, but their routes do. A slab is 64 KiB in lines of 64 bytes; word i of it is the route
// of the cell in line i. The words themselves take up the first lines, in which there are no cells.
struct slab_routes {
  static constexpr std::size_t slab_bytes = 64 * 1024;
  static constexpr std::size_t line_bytes = 64;
  static constexpr std::size_t lines = slab_bytes / line_bytes;
  static constexpr std::size_t first_cell = lines * sizeof(std::uint64_t) / line_bytes;

  // The bits of a route from this one on are the same for all parallel actors of an engine.
  static constexpr unsigned kind_shift = 32;

  // The route of the actor at p; it is written when the actor is created.
  [[nodiscard]] static std::atomic<std::uint64_t>& of(port p) noexcept {
    const auto at = static_cast<std::uintptr_t>(p & cell_mask);
    return *reinterpret_cast<std::atomic<std::uint64_t>*>((at & ~(slab_bytes - 1)) |
                                                          (at / line_bytes % lines * sizeof(std::uint64_t)));
  }
};

// The part of a running transaction that staging reads and writes; the core keeps the rest. Thread safety: only the
// worker's own thread uses it, but any thread may read `handling`.
struct run {
  queue_tail* lane = nullptr;      // of the shard that the worker holds
  std::uint64_t parallel_key = 0;  // the upper bits of the routes of parallel actors that this worker may run
  // For an exclusive actor of this engine, its route minus `base` is the number of its shard, below `shards`;
  // `held_shards` says for each shard whether this worker holds it.
  std::uint64_t base = nobodys;
  const std::uint8_t* held_shards = nullptr;
  std::uint64_t shards = 0;
  std::uint64_t sent = 0;                 // messages that were ever staged and not aborted
  std::byte* mark = nullptr;              // lane->write when the run began
  std::atomic<port> handling{0};          // the port of the message that is run; 0 between two holds
  const context_node* context = nullptr;  // the context in which the run sends and creates

  // A value that is no route and no base. As `base` it makes stage_elsewhere look at every send.
  static constexpr std::uint64_t nobodys = std::uint64_t{1} << 63;

  [[nodiscard]] bool keeps(std::uint64_t route) const noexcept {
    return holds_route(route) || route >> slab_routes::kind_shift == parallel_key;
  }
  [[nodiscard]] bool holds_route(std::uint64_t route) const noexcept {
    return route - base < shards && held_shards[route - base] != 0;
  }
};

// Reserves an envelope for a message to `to`. Returns the place where the caller constructs its payload, which must not
// throw.
[[nodiscard]] void* stage_elsewhere(run&, port to, const message_type&);
[[nodiscard]] inline void* stage(run& r, port to, const message_type& type) {
  if (to > index_mask) [[likely]] {
    queue_tail& lane = *r.lane;
    std::byte* at = lane.write;
    const std::uintptr_t after = reinterpret_cast<std::uintptr_t>(at) + type.slot_count() * message_type::slot_bytes;
    // relaxed: private until published; a thread that has the port got it after the actor was created.
    if (r.keeps(slab_routes::of(to).load(std::memory_order_relaxed)) &&
        after <= reinterpret_cast<std::uintptr_t>(lane.end)) [[likely]] {
      lane.write = reinterpret_cast<std::byte*>(after);
      ++r.sent;
      auto* header = ::new (at) std::uint64_t(type.header());
      asm("" : "+m"(*header));  // two stores: else a load right behind them would wait for one store of 16 bytes
      ::new (at + sizeof *header) port(to);
      return at + message_type::head_bytes;
    }
  }
  return stage_elsewhere(r, to, type);
}
// The same, but a message to a parallel actor is handled in the next shard, round over those of all workers.
[[nodiscard]] void* stage_round(run&, port to, const message_type&);
// Stages that the message which is handled moves on to `to`. Throws tact::usage_error when `message`, whose type has
// this name, is not the message that is handled, or when that has been passed on already.
void pass_on(run&, port to, const void* message, const type_key& type);

}  // namespace tact::detail
