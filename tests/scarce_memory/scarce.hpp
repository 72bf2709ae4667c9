// A system that refuses memory: what this program asks of operator new, malloc, aligned_alloc and mmap. Include it in
// one source file of a program only, which is linked with the options that its meson.build names.
#pragma once

#include <sys/mman.h>

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>

extern "C" {
void* __real_malloc(std::size_t bytes);
void* __real_aligned_alloc(std::size_t alignment, std::size_t bytes);
void* __real_mmap(void* at, std::size_t bytes, int access, int how, int file, off_t offset);
}

namespace tact::support {

// While one lives, the nth piece of memory that any thread asks for is refused, and so many of those that follow it.
class scarcity {
 public:
  scarcity(std::int64_t nth, std::int64_t in_a_row) noexcept {
    asked = 0;
    refused = 0;
    first = nth;
    last = nth + in_a_row - 1;
  }
  ~scarcity() { first = never; }
  scarcity(const scarcity&) = delete;
  scarcity& operator=(const scarcity&) = delete;

  [[nodiscard]] static std::int64_t refusals() noexcept { return refused; }
  [[nodiscard]] static bool refuses() noexcept {
    if (first == never) return false;
    const std::int64_t turn = ++asked;
    if (turn < first || turn > last) return false;
    ++refused;
    return true;
  }

 private:
  static constexpr std::int64_t never = INT64_MAX;
  static inline std::atomic<std::int64_t> asked{0};
  static inline std::atomic<std::int64_t> refused{0};
  static inline std::atomic<std::int64_t> first{never};
  static inline std::atomic<std::int64_t> last{never};
};

inline void* scarce_new(std::size_t bytes, std::size_t alignment) noexcept {
  if (scarcity::refuses()) return nullptr;
  const std::size_t rounded = (bytes + alignment - 1) / alignment * alignment;
  return alignment <= alignof(std::max_align_t) ? __real_malloc(bytes) : __real_aligned_alloc(alignment, rounded);
}
inline void* scarce_new_or_throw(std::size_t bytes, std::size_t alignment) {
  void* const p = scarce_new(bytes, alignment);
  if (p == nullptr) throw std::bad_alloc();
  return p;
}

}  // namespace tact::support

extern "C" {
void* __wrap_malloc(std::size_t bytes) { return tact::support::scarcity::refuses() ? nullptr : __real_malloc(bytes); }
void* __wrap_aligned_alloc(std::size_t alignment, std::size_t bytes) {
  return tact::support::scarcity::refuses() ? nullptr : __real_aligned_alloc(alignment, bytes);
}
void* __wrap_mmap(void* at, std::size_t bytes, int access, int how, int file, off_t offset) {
  if (!tact::support::scarcity::refuses()) return __real_mmap(at, bytes, access, how, file, offset);
  errno = ENOMEM;
  return MAP_FAILED;
}
}

void* operator new(std::size_t bytes) { return tact::support::scarce_new_or_throw(bytes, 1); }
void* operator new[](std::size_t bytes) { return tact::support::scarce_new_or_throw(bytes, 1); }
void* operator new(std::size_t bytes, std::align_val_t a) {
  return tact::support::scarce_new_or_throw(bytes, static_cast<std::size_t>(a));
}
void* operator new[](std::size_t bytes, std::align_val_t a) {
  return tact::support::scarce_new_or_throw(bytes, static_cast<std::size_t>(a));
}
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept { return tact::support::scarce_new(bytes, 1); }
void* operator new[](std::size_t bytes, const std::nothrow_t&) noexcept { return tact::support::scarce_new(bytes, 1); }
void operator delete(void* p) noexcept { std::free(p); }
void operator delete[](void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }
void operator delete[](void* p, std::size_t) noexcept { std::free(p); }
void operator delete(void* p, std::align_val_t) noexcept { std::free(p); }
void operator delete[](void* p, std::align_val_t) noexcept { std::free(p); }
void operator delete(void* p, std::size_t, std::align_val_t) noexcept { std::free(p); }
void operator delete[](void* p, std::size_t, std::align_val_t) noexcept { std::free(p); }
