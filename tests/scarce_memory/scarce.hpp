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
// `counted`: all threads together, or each by itself.
class scarcity {
 public:
  enum class by { all_threads, each_thread };

  scarcity(std::int64_t nth, std::int64_t in_a_row, by counted = by::all_threads) noexcept {
    asked = 0;
    refused = 0;
    each_thread = counted == by::each_thread;
    ++number;
    first = nth;
    last = nth + in_a_row - 1;
  }
  ~scarcity() { first = never; }
  scarcity(const scarcity&) = delete;
  scarcity& operator=(const scarcity&) = delete;

  [[nodiscard]] static std::int64_t refusals() noexcept { return refused; }
  // While one lives, nothing is refused to its thread.
  class spares_thread {
   public:
    spares_thread() noexcept { is_spared = true; }
    ~spares_thread() { is_spared = false; }
    spares_thread(const spares_thread&) = delete;
    spares_thread& operator=(const spares_thread&) = delete;
  };
  [[nodiscard]] static bool refuses() noexcept {
    if (first == never || is_spared) return false;
    const std::int64_t turn = each_thread ? turn_of_thread() : ++asked;
    if (turn < first || turn > last) return false;
    ++refused;
    return true;
  }

 private:
  static std::int64_t turn_of_thread() noexcept {
    if (asked_in != number) asked_here = 0;
    asked_in = number;
    return ++asked_here;
  }

  static constexpr std::int64_t never = INT64_MAX;
  static inline std::atomic<std::int64_t> asked{0};
  static inline std::atomic<std::int64_t> refused{0};
  static inline std::atomic<std::int64_t> first{never};
  static inline std::atomic<std::int64_t> last{never};
  static inline std::atomic<bool> each_thread{false};
  static inline std::atomic<std::int64_t> number{0};
  static inline thread_local std::int64_t asked_in = 0;  // in that one the thread has asked asked_here times
  static inline thread_local std::int64_t asked_here = 0;
  static inline thread_local bool is_spared = false;
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
