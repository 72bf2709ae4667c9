// Spare chunks: those of the whole engine (depot), and those that one worker keeps for itself (chunk_store).
#pragma once

#include <cstddef>
#include <cstdint>

#include <boost/lockfree/stack.hpp>

#include "mailbox/chunk.hpp"
#include "sync/policy.hpp"

namespace tact::mailbox {

// Gives a chunk to a worker that has no spare one, and takes the surplus of workers. Thread safety: any thread.
class depot {
 public:
  depot() = default;
  depot(const depot&) = delete;
  depot& operator=(const depot&) = delete;
  ~depot();

  // Returns a cleared chunk; from the chunk memory when there is no spare one. Throws std::bad_alloc, but not while a
  // base::may_use_reserve lives.
  [[nodiscard]] chunk* take();
  // Keeps the chunk, or gives it back to the chunk memory when enough are kept.
  void give(chunk* spare) noexcept;
  // Gives up all spare chunks, and makes the chunk memory give back to the system what is free.
  void trim() noexcept;

  // Chunks taken from the chunk memory: ever, and now.
  [[nodiscard]] std::uint64_t allocations() const noexcept;
  [[nodiscard]] std::uint64_t chunks_held() const noexcept;

 private:
  void drop(chunk* spare) noexcept;

  static constexpr std::size_t kept_chunks = 1024;  // 4 MiB

  boost::lockfree::stack<chunk*, boost::lockfree::capacity<kept_chunks>> spare_;
  sync::atomic<std::uint64_t> allocations_{0};
  sync::atomic<std::uint64_t> held_{0};
};

// A worker's own spare chunks. The last one used is on top, because its lines are warm. Thread safety: owner only.
class chunk_store {
 public:
  explicit chunk_store(depot& shared) noexcept : depot_(&shared) {}
  chunk_store(const chunk_store&) = delete;
  chunk_store& operator=(const chunk_store&) = delete;
  ~chunk_store() { trim(0); }

  [[nodiscard]] chunk* take() {
    chunk* spare = take_spare();
    return spare != nullptr ? spare : depot_->take();
  }
  // Null when there is none.
  [[nodiscard]] chunk* take_spare() noexcept {
    if (first_ == nullptr) return nullptr;
    chunk* taken = first_;
    first_ = taken->next;
    --count_;
    taken->clear();
    return taken;
  }
  void give(chunk* spare) noexcept {
    if (count_ == kept_chunks) return depot_->give(spare);
    spare->next = first_;
    first_ = spare;
    ++count_;
  }
  // Keeps at most `kept` chunks.
  void trim(unsigned kept) noexcept;

 private:
  static constexpr unsigned kept_chunks = 64;  // 256 KiB

  depot* depot_;
  chunk* first_ = nullptr;
  unsigned count_ = 0;
};

}  // namespace tact::mailbox
