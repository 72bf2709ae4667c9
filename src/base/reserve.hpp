// Memory that was set aside for what must not fail: the commit of a run, the report of a failure, the end of an actor.
#pragma once

#include <array>
#include <cstddef>

namespace tact::base {

// While one lives, memory that its thread asks for comes out of the reserves when the system has none left. So a
// function that cannot say that it has failed says here that it does not fail. Thread safety: the thread's own; in a
// simulation each simulated thread has its own count.
class may_use_reserve {
 public:
  may_use_reserve() noexcept { enter(); }
  ~may_use_reserve() { leave(); }
  may_use_reserve(const may_use_reserve&) = delete;
  may_use_reserve& operator=(const may_use_reserve&) = delete;

  static void enter() noexcept { ++depth_; }
  static void leave() noexcept { --depth_; }
  [[nodiscard]] static bool here() noexcept { return depth_ != 0; }
  // Returns the count before. For simulations, and for callbacks, whose exceptions are caught.
  static unsigned exchange(unsigned depth) noexcept {
    const unsigned was = depth_;
    depth_ = depth;
    return was;
  }

 private:
  [[gnu::tls_model("initial-exec")]] static constinit thread_local unsigned depth_;
};

// While one lives, memory is refused as usual: for callbacks of the user's that may throw.
class may_not_use_reserve {
 public:
  may_not_use_reserve() noexcept : was_(may_use_reserve::exchange(0)) {}
  ~may_not_use_reserve() { may_use_reserve::exchange(was_); }
  may_not_use_reserve(const may_not_use_reserve&) = delete;
  may_not_use_reserve& operator=(const may_not_use_reserve&) = delete;

 private:
  const unsigned was_;
};

// Pieces of one size. Who may fail fills it before it takes anything from the system: so while memory is short it is
// they who are refused, and the reserve recovers first. Thread safety: none; guarded by its owner's lock.
template <std::size_t Count>
class reserve {
 public:
  // `make()` returns one more piece, or throws std::bad_alloc; what there is stays.
  template <class Make>
  void fill(Make make) {
    while (count_ != Count) {
      void* const piece = make();
      pieces_[count_++] = piece;
    }
  }
  // Null: it is used up.
  [[nodiscard]] void* take() noexcept { return count_ == 0 ? nullptr : pieces_[--count_]; }

 private:
  std::array<void*, Count> pieces_{};
  std::size_t count_ = 0;
};

// Says so, and ends the process: what must not fail would fail. docs/out_of_memory.md.
[[noreturn]] void reserve_is_used_up() noexcept;

}  // namespace tact::base
