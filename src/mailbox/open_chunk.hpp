// The word on which a worker and the holder of an office meet when the worker adds messages to a chunk that it has
// published already. Protocol page: docs/protocols/open_chunk.md.
#pragma once

#include <cstdint>
#include <utility>

#include "base/reserve.hpp"
#include "mailbox/chunk.hpp"
#include "mailbox/depot.hpp"
#include "sync/policy.hpp"

namespace tact::mailbox {

// Moves the envelopes that lie between two places to a third one. Returns how many.
inline std::uint32_t relocate_all(std::byte* from, const std::byte* end, std::byte* to) noexcept {
  std::uint32_t moved = 0;
  for (; from != end; ++moved) {
    auto& e = *reinterpret_cast<envelope*>(from);
    const auto bytes = static_cast<std::ptrdiff_t>(e.slots() * slot_bytes);
    e.relocate(to);
    from += bytes;
    to += bytes;
  }
  return moved;
}

// What a sender keeps of the chunk that it has open.
struct open_tail {
  chunk* at = nullptr;  // null: none
  std::byte* end = nullptr;

  [[nodiscard]] bool has_room(std::ptrdiff_t bytes) const noexcept { return at != nullptr && at->end() - end >= bytes; }
};

// A worker that sends little at a time to an office that is behind leaves its last chunk there open, and adds to it. So
// the office gets few chunks with many messages, and pays for each chunk once.
//
// word = slots | chunk | adding | left; 0: no chunk is open
//   slots   how many slots are published; it grows with each addition, so no value comes twice for a chunk
//   adding  the sender writes behind these
//   left    the holder came meanwhile: it has moved what was published to a chunk of its own, and this one is the
//           sender's again
//
// Thread safety: open, add and is_closed by the sender, one worker for ever; close by the holder of the office.
// Invariants: (1) only the sender turns the word from 0 to another value; (2) while a chunk is open the slots that are
// published are the holder's, and what is behind them is the sender's; (3) neither waits for the other.
template <class Sync>
class open_chunk {
 public:
  // relaxed: owner-only, but for the 0 of the holder, after which the sender touches nothing of the chunk.
  [[nodiscard]] bool is_closed() const noexcept { return word_.load(std::memory_order_relaxed) == 0; }

  // REQUIRES: is_closed; the sender pushes the chunk to the office next, and there is no other behind it.
  [[nodiscard]] open_tail open(chunk& c, unsigned sender) noexcept {
    c.opened_by = static_cast<std::uint16_t>(sender);
    // relaxed: private until published, by the push that follows. pairs: shard_word.push
    word_.store(value_of(c, c.filled), std::memory_order_relaxed);
    return {&c, c.filled};
  }

  // Adds the messages of another chunk to this one, if it is still open. False: it is not, the messages lie where they
  // were, and `t` leads nowhere. Then the chunk may be the sender's again: `back`. REQUIRES: has_room.
  [[nodiscard]] bool add(open_tail& t, chunk& added, chunk*& back) noexcept {
    chunk& c = *t.at;
    std::byte* const from = added.slots;
    const std::byte* const end = added.filled;
    std::byte* const old_end = std::exchange(t.end, t.end + (end - from));
    std::uint64_t expected = value_of(c, old_end);
    // relaxed: owner-only; the sender reads nothing that others have written. If the CAS fails, it touches the chunk no
    // more.
    if (!word_.compare_exchange_strong(expected, expected | adding, std::memory_order_relaxed)) {
      t = {};
      return Sync::planted(sync::fault::closed_not_looked_at);
    }
    const std::uint32_t count = relocate_all(from, end, old_end);
    c.messages = static_cast<std::uint16_t>(c.messages + count);
    if (added.only_target != c.only_target) c.only_target = chunk::several;
    expected = value_of(c, old_end) | adding;
    // release: publishes the messages and their number. pairs: open_chunk.close
    // acquire on failure: the holder has moved its messages away. pairs: open_chunk.close
    if (word_.compare_exchange_strong(expected, value_of(c, t.end), std::memory_order_release,
                                      std::memory_order_acquire) ||
        Sync::planted(sync::fault::left_not_looked_at) || Sync::planted(sync::fault::closed_while_adding))
      return true;  // with a fault as well: two threads would have the chunk, and the test would end by a crash
    relocate_all(old_end, t.end, from);
    back = &c;
    t = {};
    word_.store(0, std::memory_order_relaxed);  // relaxed: owner-only until the next chunk is opened
    return false;
  }

  // Closes the chunk, and returns the one in which all lies that was published: this one or, if the sender is just
  // adding, another one. REQUIRES: the chunk came by a push of this sender, and was not closed since.
  [[nodiscard]] chunk& close(chunk& c, chunk_store& store) noexcept {
    chunk* copy = nullptr;
    std::byte* at = c.slots;
    // A guess, which holds if nothing was added. To look first would bring the line here twice, as in shard_word.push.
    std::uint64_t seen = value_of(c, c.filled);
    for (;;) {
      std::byte* const end = c.slots + (seen >> slots_shift) * slot_bytes;
      const bool is_adding = (seen & adding) != 0 && !Sync::planted(sync::fault::closed_while_adding);
      if (is_adding && copy == nullptr) copy = &take_chunk(store);
      if (copy != nullptr) {
        copy->messages = static_cast<std::uint16_t>(copy->messages + relocate_all(at, end, copy->filled));
        copy->filled += end - std::exchange(at, end);
      }
      // release: the messages were moved away before the sender uses the chunk again. pairs: open_chunk.add
      // acquire: observes the messages and their number, also when it fails. pairs: open_chunk.add
      if (!word_.compare_exchange_strong(seen, is_adding ? seen | left : 0, std::memory_order_acq_rel,
                                         std::memory_order_acquire))
        continue;
      if (copy != nullptr) {
        if (!is_adding) store.give(&c);
        return *copy;
      }
      c.opened_by = chunk::nobody;
      c.filled = end;
      return c;
    }
  }

 private:
  static constexpr std::uint64_t left = 1;
  static constexpr std::uint64_t adding = 2;
  // Addresses have fewer bits than that: at most 56 on x86-64, 52 on ARM64.
  static constexpr unsigned slots_shift = 57;
  static_assert(chunk::capacity_slots < 1U << (64 - slots_shift));

  static std::uint64_t value_of(const chunk& c, const std::byte* end) noexcept {
    const auto slots = static_cast<std::uint64_t>(end - c.slots) / slot_bytes;
    return slots << slots_shift | reinterpret_cast<std::uintptr_t>(&c);
  }
  static chunk& take_chunk(chunk_store& store) noexcept {
    const base::may_use_reserve sure;
    return *store.take();
  }

  typename Sync::template atomic<std::uint64_t> word_{0};
};

}  // namespace tact::mailbox
