// What AddressSanitizer and ThreadSanitizer must be told when a thread changes its stack. Nothing in other builds.
#pragma once

#include <cstddef>

#include "base/sanitized.hpp"

#if defined(TACT_ASAN)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif
#if defined(TACT_TSAN)
#include <sanitizer/tsan_interface.h>
#endif

namespace tact::fiber::sanitizer {

inline void forget_frames([[maybe_unused]] void* bottom, [[maybe_unused]] std::size_t bytes) noexcept {
#if defined(TACT_ASAN)
  __asan_unpoison_memory_region(bottom, bytes);
#endif
}

// The sanitizers' view of one fiber.
struct notes {
  const void* bottom = nullptr;  // of a thread's own stack: learned when it is left for the first time
  std::size_t bytes = 0;
  void* fake_stack = nullptr;
  void* shadow = nullptr;  // what it ran with when it was left
  void* own = nullptr;     // made for it; none for a thread's own stack
};

inline void adopt_thread([[maybe_unused]] notes& n) noexcept {
#if defined(TACT_TSAN)
  n.shadow = __tsan_get_current_fiber();
#endif
}

inline void create([[maybe_unused]] notes& n, [[maybe_unused]] const void* bottom,
                   [[maybe_unused]] std::size_t bytes) noexcept {
  n.bottom = bottom;
  n.bytes = bytes;
#if defined(TACT_TSAN)
  n.own = __tsan_create_fiber(0);
  n.shadow = n.own;
#endif
}

inline void destroy([[maybe_unused]] notes& n) noexcept {
#if defined(TACT_TSAN)
  __tsan_destroy_fiber(n.own);
#endif
}

// Directly before the switch. `returns` is false when `from` will never be resumed.
// `from` stands for whatever runs here: a stack of its own, that of any thread, or in a simulation another fiber.
inline void leave([[maybe_unused]] notes& from, [[maybe_unused]] const notes& to,
                  [[maybe_unused]] bool returns) noexcept {
#if defined(TACT_ASAN)
  __sanitizer_start_switch_fiber(returns ? &from.fake_stack : nullptr, to.bottom, to.bytes);
#endif
#if defined(TACT_TSAN)
  from.shadow = __tsan_get_current_fiber();
  __tsan_switch_to_fiber(to.shadow, 0);
#endif
}

// Directly after it, on the stack of `self`, which was entered from `from`.
inline void arrive([[maybe_unused]] notes& self, [[maybe_unused]] notes& from) noexcept {
#if defined(TACT_ASAN)
  __sanitizer_finish_switch_fiber(self.fake_stack, &from.bottom, &from.bytes);
#endif
}

}  // namespace tact::fiber::sanitizer
