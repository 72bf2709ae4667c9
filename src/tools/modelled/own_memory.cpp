#include "tools/modelled/own_memory.hpp"

#include <sys/mman.h>

#include <cstdint>
#include <new>

namespace tact::modelled {

void* map_aligned(std::size_t bytes, std::size_t alignment) {
  const std::size_t mapped = bytes + alignment;
  void* const all = ::mmap(nullptr, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (all == MAP_FAILED) throw std::bad_alloc();
  const auto begin = reinterpret_cast<std::uintptr_t>(all);
  const std::uintptr_t wanted = (begin + alignment - 1) & ~(alignment - 1);
  const std::uintptr_t end = (wanted + bytes + 4095) & ~std::uintptr_t{4095};
  if (wanted != begin) ::munmap(all, wanted - begin);
  if (end < begin + mapped) ::munmap(reinterpret_cast<void*>(end), begin + mapped - end);
  return reinterpret_cast<void*>(wanted);
}

void* own_memory::system_pages::do_allocate(std::size_t bytes, std::size_t alignment) {
  return map_aligned(bytes, alignment);
}

void own_memory::system_pages::do_deallocate(void* block, std::size_t bytes, std::size_t) { ::munmap(block, bytes); }

}  // namespace tact::modelled
