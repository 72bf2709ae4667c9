#include "base/sparse_array.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <new>

namespace tact::base {

zero_pages::zero_pages(std::size_t bytes) : bytes_(std::max<std::size_t>(bytes, 1)) {
  void* const mapped =
      ::mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapped == MAP_FAILED) throw std::bad_alloc();
  // With huge pages the first write to an element would make a whole huge page resident, neighbours included.
  static_cast<void>(::madvise(mapped, bytes_, MADV_NOHUGEPAGE));
  first_ = static_cast<std::byte*>(mapped);
}

zero_pages::~zero_pages() { ::munmap(first_, bytes_); }

void zero_pages::forget() noexcept { static_cast<void>(::madvise(first_, bytes_, MADV_DONTNEED)); }

}  // namespace tact::base
