// How a message is staged: where it is written, and what is noted for the case that the run is thrown away. It is
// written here, to be inlined into the caller's own code. docs/decisions/0007-staging-in-the-senders-code.md,
// docs/decisions/0068-one-table-of-tails.md.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <new>

#include "tact/detail/description.hpp"

namespace tact::detail {

struct context_node;

// The tail of a queue of envelopes. Memory that is all zero is the tail of a queue without a chunk, in which there is
// no room.
struct queue_tail {
  std::byte* write = nullptr;  // the next free slot
  std::byte* end = nullptr;    // the end of the chunk in which `write` lies
  std::uint32_t extra = 0;     // slots before `write`, in that chunk, in which no envelope begins
  bool is_noted = false;       // for the journal, while it looks through the notes of a run
};

// Where a run has written an envelope. When the run is thrown away, the queue is cut back to there.
struct queue_note {
  queue_tail* queue;
  std::byte* at;
};

// The route of an actor (mailbox::route) says where messages for it go, and is all that senders read of it. It lies
// apart from the actor's cell, because the cells of many actors do not fit into a cache, but their routes do. Cells lie
// in regions of 2 MiB, and in these in slabs of 64 KiB, in lines of 64 bytes.
//
// Nearly all exclusive actors lie in runs: cells of one shard, side by side. All cells of a run have the same route, so
// there is one word for them, in a table of the region: word i belongs to the i-th 2 KiB. It is 0 for cells that are in
// no run. Each cell in no run has a route of its own: word i of the slab is the route of the cell in line i. The words
// themselves take up lines in which there are no cells.
struct route_words {
  static constexpr std::size_t region_bytes = 2 * 1024 * 1024;
  static constexpr std::size_t slab_bytes = 64 * 1024;
  static constexpr std::size_t line_bytes = 64;
  static constexpr std::size_t lines = slab_bytes / line_bytes;
  static constexpr std::size_t first_cell = lines * sizeof(std::uint64_t) / line_bytes;  // of a slab
  static constexpr std::size_t run_bytes = 2 * 1024;
  static constexpr std::size_t run_table = 2 * 4096;  // where it lies in the region, behind the words of the first slab
  static constexpr std::size_t run_table_bytes = region_bytes / run_bytes * sizeof(std::uint64_t);
  static_assert(run_table == first_cell * line_bytes && run_table % run_table_bytes == 0);

  // The bits of a route from this one on are the same for all parallel actors of an engine.
  static constexpr unsigned kind_shift = 32;

  // The route of the run of cells in which the actor at p lies; 0 if it lies in no run.
  [[nodiscard]] static std::atomic<std::uint64_t>& of_run(port p) noexcept {
    const auto at = static_cast<std::uintptr_t>(p & cell_mask);
    return *reinterpret_cast<std::atomic<std::uint64_t>*>((at & ~(region_bytes - 1)) + run_table +
                                                          at % region_bytes / run_bytes * sizeof(std::uint64_t));
  }
  // The actor's own route. REQUIRES: the actor at p lies in no run of cells.
  [[nodiscard]] static std::atomic<std::uint64_t>& of_cell(port p) noexcept {
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
  // For an exclusive actor of this engine, its route minus `base` is the number of its shard, below `shards`. `tails`
  // says for each shard where messages for it are written: the lane, if this worker holds the shard, else the outbox
  // through which they go there. `held_shards` says whether it holds the shard.
  std::uint64_t base = nobodys;
  std::uint64_t shards = 0;
  queue_tail* const* tails = nullptr;
  const std::uint8_t* held_shards = nullptr;
  // A note of each message that was staged, oldest first. Those of this run begin at first_note, and there is room up
  // to notes_end.
  queue_note* first_note = nullptr;
  queue_note* next_note = nullptr;
  queue_note* notes_end = nullptr;
  queue_note* notes = nullptr;
  std::uint64_t sent_before = 0;  // messages that were staged and not aborted, of which there is no note any more
  // The lane, if nearly all messages stay with this worker. Then staging need not wait until the place to write is
  // loaded: the processor predicts that it is the lane, and goes on.
  queue_tail* expected = nullptr;
  queue_tail closed;                      // has no room
  std::atomic<port> handling{0};          // the port of the message that is run; 0 between two holds
  const context_node* context = nullptr;  // the context in which the run sends and creates

  // A value that is no route and no base. As `base` it makes stage_elsewhere look at every send.
  static constexpr std::uint64_t nobodys = std::uint64_t{1} << 63;

  // Where a message for an exclusive actor of this engine is written. REQUIRES: route - base < shards.
  [[nodiscard]] queue_tail& tail_of(std::uint64_t route) noexcept {
    queue_tail* found = tails[route - base];
    if (found == expected) {
      asm("" : "+m"(expected));  // else the compiler would see that the two are the same, and drop the branch
      found = expected;
    }
    return *found;
  }
  // Where a message to `to` is written. If there is no room there, stage_elsewhere decides.
  [[nodiscard]] queue_tail& tail_for(port to) noexcept {
    // relaxed: private until published; a thread that has the port got it after the actor was created.
    const std::uint64_t of_run = route_words::of_run(to).load(std::memory_order_relaxed);
    if (of_run - base < shards) [[likely]]
      return tail_of(of_run);
    // relaxed: private until published, as above.
    const std::uint64_t route = route_words::of_cell(to).load(std::memory_order_relaxed);
    if (route >> route_words::kind_shift == parallel_key) return *lane;
    return route - base < shards ? tail_of(route) : closed;
  }
  // Messages that were ever staged and not aborted.
  [[nodiscard]] std::uint64_t sent() const noexcept {
    return sent_before + static_cast<std::uint64_t>(next_note - notes);
  }
};

// Reserves an envelope for a message to `to`. Returns the place where the caller constructs its payload, which must not
// throw.
[[nodiscard]] void* stage_elsewhere(run&, port to, const message_type&);
[[nodiscard]] inline void* stage(run& r, port to, const message_type& type) {
  if (to > index_mask) [[likely]] {
    queue_tail& queue = r.tail_for(to);
    std::byte* const at = queue.write;
    const auto size = static_cast<std::uint32_t>(type.slot_count());  // Qt has a macro `slots`
    const std::uintptr_t after = reinterpret_cast<std::uintptr_t>(at) + size * message_type::slot_bytes;
    queue_note* const note = r.next_note;
    if (after <= reinterpret_cast<std::uintptr_t>(queue.end) && note != r.notes_end) [[likely]] {
      queue.write = reinterpret_cast<std::byte*>(after);
      if (size != 1) queue.extra += size - 1;
      r.next_note = note + 1;
      // Two stores: one of 16 bytes takes longer to put together; and a load right behind it would wait for it.
      note->queue = &queue;
      asm("" : "+m"(note->queue));
      note->at = at;
      auto* header = ::new (at) std::uint64_t(type.header());
      asm("" : "+m"(*header));
      ::new (at + sizeof *header) port(to);
      return at + message_type::head_bytes;
    }
  }
  return stage_elsewhere(r, to, type);
}
// Reserves an envelope as `stage` does, but a message to a parallel actor is handled in the next shard, round over
// those of all workers.
[[nodiscard]] void* stage_round(run&, port to, const message_type&);
// Stages that the message that is handled moves on to `to`. Throws tact::usage_error when `message`, whose type has
// this name, is not the message that is handled, or when that has been passed on already.
void pass_on(run&, port to, const void* message, const type_key& type);

}  // namespace tact::detail
