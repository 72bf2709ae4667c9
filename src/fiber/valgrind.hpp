// What valgrind must be told of a stack, so that it does not take a switch for a fault. Where its headers are not there
// when the library is built, it is told nothing. A program that does not run under valgrind pays a few instructions for
// each stack that is made.
#pragma once

#include <cstddef>

#if __has_include(<valgrind/memcheck.h>)
#include <valgrind/memcheck.h>
#define TACT_TELLS_VALGRIND 1
#else
#define TACT_TELLS_VALGRIND 0
#endif

namespace tact::fiber {

inline constexpr bool tells_valgrind = TACT_TELLS_VALGRIND != 0;

// The memory is there, with nothing written to it: where frames were given up, valgrind counts it as out of reach.
inline void forget_frames_on_valgrind([[maybe_unused]] void* bottom, [[maybe_unused]] std::size_t bytes) noexcept {
#if TACT_TELLS_VALGRIND
  static_cast<void>(VALGRIND_MAKE_MEM_UNDEFINED(bottom, bytes));
#endif
}

// The number under which valgrind knows a stack.
class valgrind_stack {
 public:
  void begin([[maybe_unused]] std::byte* bottom, [[maybe_unused]] std::size_t bytes) noexcept {
#if TACT_TELLS_VALGRIND
    is_known_ = RUNNING_ON_VALGRIND != 0;
    number_ = VALGRIND_STACK_REGISTER(bottom, bottom + bytes);
#endif
  }
  void end() noexcept {
#if TACT_TELLS_VALGRIND
    if (is_known_) VALGRIND_STACK_DEREGISTER(number_);
#endif
  }
  [[nodiscard]] bool is_known() const noexcept { return is_known_; }

 private:
  bool is_known_ = false;
  unsigned number_ = 0;
};

}  // namespace tact::fiber
