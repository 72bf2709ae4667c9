// What AddressSanitizer and ThreadSanitizer must be told when a thread changes its stack. A program may use them
// although the library that it is linked to is compiled without. So the linker looks up their functions, which are null
// where there is no sanitizer.
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
  const void* bottom = nullptr;  // for the own stack of a thread, known once it has been left
  std::size_t bytes = 0;
  void* fake_stack = nullptr;  // AddressSanitizer's own, while the fiber is left and will be resumed
  void* shadow = nullptr;      // what ThreadSanitizer ran it with when it was left
  void* own = nullptr;         // made for this fiber; null for the own stack of a thread
};

inline void adopt_thread(notes& n) noexcept {
  if (__tsan_get_current_fiber != nullptr) n.shadow = __tsan_get_current_fiber();
}

inline void create(notes& n, const void* bottom, std::size_t bytes) noexcept {
  n.bottom = bottom;
  n.bytes = bytes;
  if (__tsan_create_fiber != nullptr) n.shadow = n.own = __tsan_create_fiber(0);
}

// Ends what AddressSanitizer keeps of a fiber that is never resumed, 17 KiB or more. It has no function for that,
// except for the fiber that runs: so it is told that this one is left, and that the other one runs and then ends.
__attribute__((no_sanitize("address"))) inline void end_fake_stack(notes& n) noexcept {
  if (n.fake_stack == nullptr) return;
  void* own = nullptr;
  const void* bottom = nullptr;
  std::size_t bytes = 0;
  __sanitizer_start_switch_fiber(&own, n.bottom, n.bytes);
  __sanitizer_finish_switch_fiber(n.fake_stack, &bottom, &bytes);
  __sanitizer_start_switch_fiber(nullptr, bottom, bytes);
  __sanitizer_finish_switch_fiber(own, nullptr, nullptr);
  n.fake_stack = nullptr;
}

inline void destroy(notes& n) noexcept {
  end_fake_stack(n);
  if (__tsan_destroy_fiber != nullptr) __tsan_destroy_fiber(n.own);
}

// Whether a fiber that is left will be resumed.
enum class parting : bool { for_now, for_good };

// Called directly before the switch. `from` stands for whatever
// runs here: the stack of a fiber, the own stack of a thread, or in a simulation another fiber.
inline void leave(notes& from, const notes& to, parting how) noexcept {
  if (__sanitizer_start_switch_fiber != nullptr) {
    __sanitizer_start_switch_fiber(how == parting::for_now ? &from.fake_stack : nullptr, to.bottom, to.bytes);
  }
  if (__tsan_switch_to_fiber != nullptr) {
    from.shadow = __tsan_get_current_fiber();
    __tsan_switch_to_fiber(to.shadow, 0);
  }
}

// Called directly after the switch, on the stack of `self`, which was entered from `from`.
inline void arrive(notes& self, notes& from) noexcept {
  if (__sanitizer_finish_switch_fiber != nullptr) {
    __sanitizer_finish_switch_fiber(self.fake_stack, &from.bottom, &from.bytes);
    self.fake_stack = nullptr;
  }
}

}  // namespace tact::fiber::sanitizer
