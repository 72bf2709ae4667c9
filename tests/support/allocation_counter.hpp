// Counts every call of the global operator new in this program. Include it in one source file of a program only: it
// replaces the operators. Under the sanitizers, which bring their own, nothing is counted.
#pragma once

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <new>

#include "support/engine_fixture.hpp"

namespace tact::support {

inline std::atomic<std::uint64_t> news{0};

inline void* counted_new(std::size_t bytes, std::size_t alignment) {
  ++news;
  const std::size_t rounded = (bytes + alignment - 1) / alignment * alignment;
  void* p = alignment <= alignof(std::max_align_t) ? std::malloc(bytes) : std::aligned_alloc(alignment, rounded);
  if (p == nullptr) throw std::bad_alloc();
  return p;
}

}  // namespace tact::support

#if !defined(TACT_ASAN) && !defined(TACT_TSAN)
void* operator new(std::size_t bytes) { return tact::support::counted_new(bytes, 1); }
void* operator new[](std::size_t bytes) { return tact::support::counted_new(bytes, 1); }
void* operator new(std::size_t bytes, std::align_val_t a) {
  return tact::support::counted_new(bytes, static_cast<std::size_t>(a));
}
void* operator new[](std::size_t bytes, std::align_val_t a) {
  return tact::support::counted_new(bytes, static_cast<std::size_t>(a));
}
void operator delete(void* p) noexcept { std::free(p); }
void operator delete[](void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }
void operator delete[](void* p, std::size_t) noexcept { std::free(p); }
void operator delete(void* p, std::align_val_t) noexcept { std::free(p); }
void operator delete[](void* p, std::align_val_t) noexcept { std::free(p); }
void operator delete(void* p, std::size_t, std::align_val_t) noexcept { std::free(p); }
void operator delete[](void* p, std::size_t, std::align_val_t) noexcept { std::free(p); }
#endif
