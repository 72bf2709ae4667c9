// Spare chunks: those of the whole engine (depot), and those that one worker keeps for itself (chunk_store).
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

#include <boost/lockfree/stack.hpp>

#include "base/mapping.hpp"
#include "mailbox/chunk.hpp"
#include "sync/policy.hpp"

namespace tact::mailbox {

// Gives chunks to workers that have no spare ones, and takes the surplus of workers. All workers write its words, so
// they come here once for a batch of chunks. Thread safety: any thread.
class depot {
 public:
  static constexpr unsigned batch_chunks = 32;
  // Chunks linked by `next`, which are not cleared yet.
  struct list {
    chunk* first = nullptr;
    unsigned count = 0;
  };

  // `bind`: says where the pages of its chunks lie.
  explicit depot(base::page_binder bind = nullptr) noexcept : bind_(bind) {}
  depot(const depot&) = delete;
  depot& operator=(const depot&) = delete;
  ~depot();

  // Returns a cleared chunk; from the chunk memory when there is no spare one. Throws std::bad_alloc, but not while a
  // base::may_use_reserve lives.
  [[nodiscard]] chunk* take();
  // Returns chunks for a store: a whole batch if there is one, else one chunk or some. It throws as take does.
  [[nodiscard]] list take_some();
  // Keeps the chunk, or gives it back to the chunk memory when enough are kept.
  void give(chunk* spare) noexcept;
  // Keeps batch_chunks chunks, which are linked by `next`, or gives them back to the chunk memory.
  void give_batch(chunk* first) noexcept;
  // Gives up all spare chunks, and makes the chunk memory give back to the system what is free.
  void trim() noexcept;

  // Chunks taken from the chunk memory: ever, and now.
  [[nodiscard]] std::uint64_t allocations() const noexcept;
  [[nodiscard]] std::uint64_t chunks_held() const noexcept;

 private:
  static constexpr unsigned allocated_at_once = 4;
  static constexpr std::size_t kept_batches = 32;  // 4 MiB
  static constexpr std::size_t kept_apart = 64;    // 256 KiB

  [[nodiscard]] chunk* take_apart() noexcept;
  [[nodiscard]] chunk* allocate(bool is_permitted);
  [[nodiscard]] list allocate_some(bool is_permitted);
  void drop(chunk* spare) noexcept;
  void drop_all(chunk* first) noexcept;

  const base::page_binder bind_;
  // Each on lines of its own: threads that take batches do not wait for those that take single chunks, nor for readers
  // of what lies beside a depot.
  alignas(64) boost::lockfree::stack<chunk*, boost::lockfree::capacity<kept_batches>> batches_;
  alignas(64) boost::lockfree::stack<chunk*, boost::lockfree::capacity<kept_apart>> apart_;
  alignas(64) sync::atomic<std::uint64_t> allocations_{0};
  sync::atomic<std::uint64_t> held_{0};
};

// A worker's own spare chunks. The last one used is on top, because its lines are warm. Behind these it holds some
// batches back as a whole: one, so that a store whose stock moves around the edge of a batch does not go to the depot
// for every chunk; and more for a worker that sends to many others, whose stock swings by a chunk for each of them.
// Thread safety: owner only.
class chunk_store {
 public:
  // `outboxes`: how many chunks the owner fills at a time.
  explicit chunk_store(depot& shared, std::size_t outboxes = 0) noexcept
      : depot_(&shared),
        held_back_max_(
            static_cast<unsigned>(std::clamp<std::size_t>(2 * outboxes / depot::batch_chunks, 1, held_back_room))) {}
  chunk_store(const chunk_store&) = delete;
  chunk_store& operator=(const chunk_store&) = delete;
  ~chunk_store() { trim(0); }

  [[nodiscard]] chunk* take() {
    chunk* const spare = take_spare();
    return spare != nullptr ? spare : take_from_depot();
  }
  // Null when there is none.
  [[nodiscard]] chunk* take_spare() noexcept {
    if (top_.first == nullptr) {
      if (held_back_count_ == 0) return nullptr;
      top_ = {held_back_[--held_back_count_], depot::batch_chunks};
    }
    chunk* const taken = top_.first;
    top_.first = taken->next;
    --top_.count;
    taken->clear();
    return taken;
  }
  void give(chunk* spare) noexcept {
    if (top_.count == depot::batch_chunks) hold_back();
    spare->next = top_.first;
    top_.first = spare;
    ++top_.count;
  }
  // Keeps at most `kept` chunks. REQUIRES: no more than a batch.
  void trim(unsigned kept) noexcept;

 private:
  [[nodiscard]] chunk* take_from_depot();
  void hold_back() noexcept;

  depot* depot_;
  depot::list top_;
  static constexpr std::size_t held_back_room = 8;  // 1 MiB
  const unsigned held_back_max_;
  unsigned held_back_count_ = 0;
  std::array<chunk*, held_back_room> held_back_{};  // whole batches
};

}  // namespace tact::mailbox
