// Memory that was set aside for what must not fail: the commit of a run, the report of a failure, the end of an actor.
#pragma once

#include <array>
#include <cstddef>

namespace tact::base {

// While an object of this class lives, memory that its thread asks for comes out of the reserves when the system has
// none left. A function that has no way to report a failure creates one. Thread safety: the thread's own; in a
// simulation each simulated thread has its own count of such objects.
class may_use_reserve {
 public:
  may_use_reserve() noexcept { enter(); }
  ~may_use_reserve() { leave(); }
  may_use_reserve(const may_use_reserve&) = delete;
  may_use_reserve& operator=(const may_use_reserve&) = delete;

  static void enter() noexcept { ++depth_; }
  static void leave() noexcept { --depth_; }
  [[nodiscard]] static bool here() noexcept { return depth_ != 0; }
  // Sets the count, and returns the one before. For simulations, which switch between threads, and for callbacks, whose
  // exceptions are caught.
  static unsigned exchange(unsigned depth) noexcept {
    const unsigned was = depth_;
    depth_ = depth;
    return was;
  }

 private:
  [[gnu::tls_model("initial-exec")]] static constinit thread_local unsigned depth_;
};

// While an object of this class lives, memory is refused as usual. For the user's callbacks, which may throw.
class may_not_use_reserve {
 public:
  may_not_use_reserve() noexcept : was_(may_use_reserve::exchange(0)) {}
  ~may_not_use_reserve() { may_use_reserve::exchange(was_); }
  may_not_use_reserve(const may_not_use_reserve&) = delete;
  may_not_use_reserve& operator=(const may_not_use_reserve&) = delete;

 private:
  const unsigned was_;
};

// Spare pieces of memory of one size. A caller that may fail fills the reserve before it takes anything from the system
// for itself: so while memory is short these callers are refused, and the reserve recovers first. Thread safety: none;
// the lock of its owner guards it.
template <std::size_t Count>
class reserve {
 public:
  // `make()` returns one more piece, or throws std::bad_alloc; the pieces that are there already stay.
  template <class Make>
  void fill(Make make) {
    while (count_ != Count) {
      void* const piece = make();
      pieces_[count_++] = piece;
    }
  }
  // Null: the reserve is used up.
  [[nodiscard]] void* take() noexcept { return count_ == 0 ? nullptr : pieces_[--count_]; }

 private:
  std::array<void*, Count> pieces_{};
  std::size_t count_ = 0;
};

// Says on stderr that a reserve is used up, and ends the process: otherwise something that must not fail would fail.
// docs/out_of_memory.md.
[[noreturn]] void reserve_is_used_up() noexcept;

}  // namespace tact::base
