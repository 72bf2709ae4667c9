// What AddressSanitizer and ThreadSanitizer must be told when a thread changes its stack. The program that the library
// is linked to may have them although the library itself is compiled without, so their functions are looked up by the
// linker, and are null where there is no sanitizer.
#pragma once

#include <cstddef>

extern "C" {
[[gnu::weak]] void __asan_unpoison_memory_region(const volatile void*, std::size_t);
[[gnu::weak]] void __sanitizer_start_switch_fiber(void**, const void*, std::size_t);
[[gnu::weak]] void __sanitizer_finish_switch_fiber(void*, const void**, std::size_t*);
[[gnu::weak]] void* __tsan_get_current_fiber();
[[gnu::weak]] void* __tsan_create_fiber(unsigned);
[[gnu::weak]] void __tsan_destroy_fiber(void*);
[[gnu::weak]] void __tsan_switch_to_fiber(void*, unsigned);
}

namespace tact::fiber::sanitizer {

inline void forget_frames(void* bottom, std::size_t bytes) noexcept {
  if (__asan_unpoison_memory_region != nullptr) __asan_unpoison_memory_region(bottom, bytes);
}

// The sanitizers' view of one fiber.
struct notes {
  const void* bottom = nullptr;  // of a thread's own stack: learned when it is left for the first time
  std::size_t bytes = 0;
  void* fake_stack = nullptr;
  void* shadow = nullptr;  // what it ran with when it was left
  void* own = nullptr;     // made for it; none for a thread's own stack
};

inline void adopt_thread(notes& n) noexcept {
  if (__tsan_get_current_fiber != nullptr) n.shadow = __tsan_get_current_fiber();
}

inline void create(notes& n, const void* bottom, std::size_t bytes) noexcept {
  n.bottom = bottom;
  n.bytes = bytes;
  if (__tsan_create_fiber != nullptr) n.shadow = n.own = __tsan_create_fiber(0);
}

inline void destroy(notes& n) noexcept {
  if (__tsan_destroy_fiber != nullptr) __tsan_destroy_fiber(n.own);
}

// Directly before the switch. `returns` is false when `from` will never be resumed.
// `from` stands for whatever runs here: a stack of its own, that of any thread, or in a simulation another fiber.
inline void leave(notes& from, const notes& to, bool returns) noexcept {
  if (__sanitizer_start_switch_fiber != nullptr) {
    __sanitizer_start_switch_fiber(returns ? &from.fake_stack : nullptr, to.bottom, to.bytes);
  }
  if (__tsan_switch_to_fiber != nullptr) {
    from.shadow = __tsan_get_current_fiber();
    __tsan_switch_to_fiber(to.shadow, 0);
  }
}

// Directly after it, on the stack of `self`, which was entered from `from`.
inline void arrive(notes& self, notes& from) noexcept {
  if (__sanitizer_finish_switch_fiber != nullptr) {
    __sanitizer_finish_switch_fiber(self.fake_stack, &from.bottom, &from.bytes);
  }
}

}  // namespace tact::fiber::sanitizer
