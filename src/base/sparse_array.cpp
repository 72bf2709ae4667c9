#include "base/sparse_array.hpp"

#include <sys/mman.h>

#include <cstdlib>
#include <cstring>
#include <new>

namespace tact::base {

namespace {

// The system gives pages of at least this size: less than one of them comes from malloc, without a call of the system.
constexpr std::size_t page_bytes = 4096;
constexpr std::size_t line_bytes = 64;

}  // namespace

zero_pages::zero_pages(std::size_t bytes) : bytes_((bytes / line_bytes + 1) * line_bytes) {
  if (bytes_ < page_bytes) {
    first_ = static_cast<std::byte*>(std::aligned_alloc(line_bytes, bytes_));
    if (first_ == nullptr) throw std::bad_alloc();
    std::memset(first_, 0, bytes_);
    return;
  }
  void* const mapped =
      ::mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapped == MAP_FAILED) throw std::bad_alloc();
  // With huge pages the first write to an element would make a whole huge page resident, neighbours included.
  static_cast<void>(::madvise(mapped, bytes_, MADV_NOHUGEPAGE));
  first_ = static_cast<std::byte*>(mapped);
}

zero_pages::~zero_pages() {
  if (bytes_ < page_bytes) {
    std::free(first_);
  } else {
    ::munmap(first_, bytes_);
  }
}

void zero_pages::forget() noexcept {
  if (bytes_ >= page_bytes) static_cast<void>(::madvise(first_, bytes_, MADV_DONTNEED));
}

}  // namespace tact::base
