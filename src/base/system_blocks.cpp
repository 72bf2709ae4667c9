#include "base/system_blocks.hpp"

#if defined(__GLIBC__)
#include <malloc.h>
#endif

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <mutex>
#include <new>

#include "base/allocation_watch.hpp"
#include "base/block_memory.hpp"
#include "base/reserve.hpp"
#include "base/sanitized.hpp"

namespace tact::base {

using detail::block_class;

namespace {

constexpr std::size_t reserve_pieces = 128;
constexpr std::uint64_t worth_a_trim = 8 << 20;
constexpr block_class piece_class = detail::block_classes - 1;  // so it serves as any block

// What this process has taken from the system. A mutex is fast enough here, because threads ask the system only while a
// load grows.
struct system_account {
  std::mutex mutex;
  block_memory pooled;
  block_usage by_malloc{};
  std::uint64_t held_at_most = 0;  // by malloc, since it was made to give memory back
  reserve<reserve_pieces> kept;

  // REQUIRES for all: the caller has the mutex. Null: the system refuses.
  void* try_malloc(std::size_t bytes) noexcept {
    void* const block = std::malloc(bytes);
    if (block == nullptr) return nullptr;
    ++by_malloc.allocations;
    by_malloc.bytes_held += bytes;
    held_at_most = std::max(held_at_most, by_malloc.bytes_held);
    return block;
  }
  void* try_to_take(block_class c) noexcept { return pooling ? pooled.take(c) : try_malloc(detail::bytes_of_block(c)); }
  void free_malloced(void* block, std::size_t bytes) noexcept {
    std::free(block);
    by_malloc.bytes_held -= bytes;
  }
  // True, once, when so much was freed that what malloc keeps of it is worth a call.
  [[nodiscard]] bool has_freed_much() noexcept {
    if (held_at_most - by_malloc.bytes_held < worth_a_trim) return false;
    held_at_most = by_malloc.bytes_held;
    return true;
  }
  void fill() {
    kept.fill([this] {
      void* const piece = try_to_take(piece_class);
      if (piece == nullptr) throw std::bad_alloc();
      return piece;
    });
  }
  // Takes a piece of the reserve for a block that is given back with this size.
  void* take_kept(std::size_t bytes) noexcept {
    void* const piece = bytes <= detail::bytes_of_block(piece_class) ? kept.take() : nullptr;
    if (piece == nullptr) reserve_is_used_up();
    if (!pooling) by_malloc.bytes_held -= detail::bytes_of_block(piece_class) - bytes;
    return piece;
  }
};

// Never destroyed, like the depots of spare blocks: a thread may end, and give blocks back, after main has returned.
system_account& account() {
  static auto* only = new system_account;
  return *only;
}

// Takes a block of this size by `take`, which returns null if the system refuses, or out of the reserve.
template <class Take>
void* take_or_use_reserve(std::size_t bytes, Take take) {
  const bool is_permitted = may_allocate();
  system_account& all = account();
  const std::lock_guard lock(all.mutex);
  const bool uses_reserve = may_use_reserve::here();
  if (!uses_reserve && is_permitted) all.fill();
  void* const block = is_permitted ? take(all) : nullptr;
  if (block != nullptr) return block;
  if (!uses_reserve) throw std::bad_alloc();
  return all.take_kept(bytes);
}

}  // namespace

void* take_from_system(block_class c) {
  return take_or_use_reserve(detail::bytes_of_block(c), [=](system_account& all) { return all.try_to_take(c); });
}

void give_to_system(void* block, block_class c) noexcept {
  const std::lock_guard lock(account().mutex);
  pooling ? account().pooled.give(block) : account().free_malloced(block, detail::bytes_of_block(c));
}

std::size_t take_some_from_system(block_class c, void** into, std::size_t most) noexcept {
  system_account& all = account();
  const std::lock_guard lock(all.mutex);
  std::size_t taken = 0;
  while (taken != most && (into[taken] = all.try_to_take(c)) != nullptr) ++taken;
  return taken;
}

void* take_large_from_system(std::size_t bytes) {
  return take_or_use_reserve(bytes, [=](system_account& all) { return all.try_malloc(bytes); });
}

void give_large_to_system(void* block, std::size_t bytes) noexcept {
  const std::lock_guard lock(account().mutex);
  account().free_malloced(block, bytes);
}

bool trim_system_blocks() noexcept {
  bool trims_malloc = false;
  {
    const std::lock_guard lock(account().mutex);
    if (account().pooled.trim()) return true;
    trims_malloc = pooling && account().has_freed_much();
  }
#if defined(__GLIBC__)
  // By itself malloc gives back only what lies at the top of its heap, above the last block in use.
  if (trims_malloc) ::malloc_trim(0);
#else
  static_cast<void>(trims_malloc);
#endif
  return false;
}

void fill_block_reserve() {
  const std::lock_guard lock(account().mutex);
  account().fill();
}

block_usage read_block_usage() noexcept {
  const std::lock_guard lock(account().mutex);
  const system_account& all = account();
  return {all.by_malloc.allocations + all.pooled.allocations(), all.by_malloc.bytes_held + all.pooled.bytes_held()};
}

void hold_system_blocks() noexcept { account().mutex.lock(); }
void release_system_blocks() noexcept { account().mutex.unlock(); }

}  // namespace tact::base
