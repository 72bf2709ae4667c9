#include "base/system_blocks.hpp"

#if defined(__GLIBC__)
#include <malloc.h>
#endif

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <mutex>
#include <new>

namespace tact::base {
namespace {

constexpr std::size_t reserve_pieces = 128;
constexpr std::uint64_t worth_a_trim = 8 << 20;
constexpr std::size_t piece_bytes = detail::bytes_of_block(detail::block_classes - 1);  // so it serves as any block

// What this process has taken from the system. A mutex is fast enough here, because threads ask the system only while a
// load grows.
struct system_account {
  std::mutex mutex;
  block_usage usage{};
  std::uint64_t held_at_most = 0;  // since malloc was made to give memory back
  reserve<reserve_pieces> kept;

  // REQUIRES for all: the caller has the mutex. Null: the system refuses.
  void* try_to_take(std::size_t bytes) noexcept {
    void* const block = std::malloc(bytes);
    if (block == nullptr) return nullptr;
    ++usage.allocations;
    usage.bytes_held += bytes;
    held_at_most = std::max(held_at_most, usage.bytes_held);
    return block;
  }
  void* take(std::size_t bytes) {
    void* const block = try_to_take(bytes);
    if (block == nullptr) throw std::bad_alloc();
    return block;
  }
  // True, once, when so much was freed that what malloc keeps of it is worth a call.
  [[nodiscard]] bool has_freed_much() noexcept {
    if (held_at_most - usage.bytes_held < worth_a_trim) return false;
    held_at_most = usage.bytes_held;
    return true;
  }
  void fill() {
    kept.fill([this] { return take(piece_bytes); });
  }
  void* take_kept(std::size_t bytes) noexcept {
    void* const piece = bytes <= piece_bytes ? kept.take() : nullptr;
    if (piece == nullptr) reserve_is_used_up();
    usage.bytes_held -= piece_bytes - bytes;
    return piece;
  }
};

// Never destroyed, like the depots of spare blocks: a thread may end, and give blocks back, after main has returned.
system_account& account() {
  static auto* only = new system_account;
  return *only;
}

}  // namespace

void* take_from_system(std::size_t bytes) {
  const bool is_permitted = may_allocate();
  system_account& all = account();
  const std::lock_guard lock(all.mutex);
  if (may_use_reserve::here()) {
    void* const block = is_permitted ? all.try_to_take(bytes) : nullptr;
    return block != nullptr ? block : all.take_kept(bytes);
  }
  if (!is_permitted) throw std::bad_alloc();
  all.fill();
  return all.take(bytes);
}

void give_to_system(void* block, std::size_t bytes) noexcept {
  std::free(block);
  std::lock_guard lock(account().mutex);
  account().usage.bytes_held -= bytes;
}

std::size_t take_some_from_system(std::size_t bytes, void** into, std::size_t most) noexcept {
  system_account& all = account();
  const std::lock_guard lock(all.mutex);
  std::size_t taken = 0;
  while (taken != most && (into[taken] = all.try_to_take(bytes)) != nullptr) ++taken;
  return taken;
}

void trim_system_blocks() noexcept {
#if defined(__GLIBC__)
  const bool trims = [] {
    const std::lock_guard lock(account().mutex);
    return pooling && account().has_freed_much();
  }();
  // By itself malloc gives back only what lies at the top of its heap, above the last block in use.
  if (trims) ::malloc_trim(0);
#endif
}

void fill_block_reserve() {
  const std::lock_guard lock(account().mutex);
  account().fill();
}

block_usage read_block_usage() noexcept {
  std::lock_guard lock(account().mutex);
  return account().usage;
}

void hold_system_blocks() noexcept { account().mutex.lock(); }
void release_system_blocks() noexcept { account().mutex.unlock(); }

}  // namespace tact::base
