#include "base/mapping.hpp"

#include <sys/mman.h>

#include <cstdint>
#include <new>

namespace tact::base {

void* map_aligned(std::size_t bytes, page_binder bind) {
  // Maps twice as much, of which the aligned part stays.
  void* all = ::mmap(nullptr, 2 * bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (all == MAP_FAILED) throw std::bad_alloc();
  auto* begin = static_cast<std::byte*>(all);
  const std::size_t before = -reinterpret_cast<std::uintptr_t>(begin) & (bytes - 1);
  if (before != 0) ::munmap(begin, before);
  ::munmap(begin + before + bytes, bytes - before);
  if (bind != nullptr) static_cast<void>(bind(begin + before, bytes));  // a refusal costs time only
  return begin + before;
}

}  // namespace tact::base
