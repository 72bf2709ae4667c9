// Behaviours of parallel actors in which a handler waits for an answer: they end when it has returned.
#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "sync/policy.hpp"
#include "tact/detail/core.hpp"

namespace tact::actors {

// Thread safety: any thread. REQUIRES: who pins runs a handler of the behaviour, so that nobody ends it meanwhile; and
// lets go of it in the epochs only after that. Hence who is about to end it, when nobody can hold it any more, sees it
// pinned, if it is.
class pinned_closures {
 public:
  using finalizer = void (*)(void* object, void* context);
  struct entry {
    entry* next = nullptr;
    const detail::closure* which = nullptr;
    std::uint64_t users = 0;
    finalizer end = nullptr;  // null: nobody has tried to end it
    void* context = nullptr;
  };

  pinned_closures() = default;
  pinned_closures(const pinned_closures&) = delete;
  pinned_closures& operator=(const pinned_closures&) = delete;
  ~pinned_closures();

  // `spare` is used up if there is no other.
  [[nodiscard]] entry& pin(const detail::closure& which, std::unique_ptr<entry>& spare) noexcept;
  // Keeps no entries that nobody uses.
  void trim() noexcept;
  // Ends it, if that was put off and nobody else has it pinned.
  void unpin(entry& e) noexcept;
  // True: somebody has it pinned, and the last one calls end(object, context).
  [[nodiscard]] bool put_off(detail::closure& which, finalizer end, void* context) noexcept {
    // relaxed: hint, exact where it matters: who pinned it has let go of it in the epochs after that, see above.
    return pinned_.load(std::memory_order_relaxed) != 0 && look_up(which, end, context);
  }

 private:
  // Locked apart, so that handlers of different actors rarely meet.
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

  sync::atomic<std::uint64_t> pinned_{0};  // handlers
  std::array<stripe, stripes_count> stripes_;
};

}  // namespace tact::actors
