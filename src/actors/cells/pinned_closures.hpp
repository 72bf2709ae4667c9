// Behaviours of parallel actors that a waiting handler still uses: they end when that handler has returned.
#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "sync/policy.hpp"
#include "tact/detail/core.hpp"

namespace tact::actors {

// Invariant: a behaviour that is pinned is not ended before its last pin is gone. For this the thread that pins it must
// be running a handler of the behaviour, so that no other thread ends it meanwhile, and must let go of it in the epochs
// only after that. Hence a thread that is about to end the behaviour, when no worker can hold it any more, sees the
// pin. Thread safety: any thread.
class pinned_closures {
 public:
  using finalizer = void (*)(void* object, void* context);
  struct entry {
    entry* next = nullptr;
    const detail::closure* which = nullptr;
    std::uint64_t users = 0;
    finalizer end = nullptr;  // null: no thread has tried to end the behaviour
    void* context = nullptr;
  };

  pinned_closures() = default;
  pinned_closures(const pinned_closures&) = delete;
  pinned_closures& operator=(const pinned_closures&) = delete;
  ~pinned_closures();

  // Uses up `spare` if it has no other free entry.
  [[nodiscard]] entry& pin(const detail::closure& which, std::unique_ptr<entry>& spare) noexcept;
  // Frees the entries that are not used.
  void trim() noexcept;
  // Removes one pin. If it was the last one, and the end was put off, ends the behaviour.
  void unpin(entry& e) noexcept;
  // True: the behaviour is pinned, and the caller that removes the last pin calls end(object, context).
  [[nodiscard]] bool put_off(detail::closure& which, finalizer end, void* context) noexcept {
    // relaxed: hint, exact where it matters: its thread has let go of it in the epochs after that, see above.
    return pinned_.load(std::memory_order_relaxed) != 0 && look_up(which, end, context);
  }

 private:
  // Each stripe has a lock of its own, so that handlers of different actors rarely meet.
  struct stripe {
    static constexpr unsigned lists_count = 16;
    sync::mutex mutex;
    std::array<entry*, lists_count> lists{};
    entry* spare = nullptr;
  };
  static constexpr unsigned stripes_count = 64;

  [[nodiscard]] bool look_up(detail::closure& which, finalizer end, void* context) noexcept;
  [[nodiscard]] static std::uint64_t hash(const detail::closure* c) noexcept {
    return (reinterpret_cast<std::uintptr_t>(c) >> 4) * 0x9E37'79B9'7F4A'7C15 >> 32;
  }
  [[nodiscard]] stripe& stripe_of(const detail::closure* c) noexcept { return stripes_[hash(c) % stripes_count]; }
  [[nodiscard]] static entry*& list_of(stripe& s, const detail::closure* c) noexcept {
    return s.lists[hash(c) / stripes_count % stripe::lists_count];
  }

  sync::atomic<std::uint64_t> pinned_{0};  // how many handlers have something pinned
  std::array<stripe, stripes_count> stripes_;
};

}  // namespace tact::actors
