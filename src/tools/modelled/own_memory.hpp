// Memory for what a model keeps beside the program. It does not come from malloc, so that the addresses that the
// program gets from there do not depend on it.
#pragma once

#include <cstddef>
#include <memory_resource>

namespace tact::modelled {

// Pages of the system; munmap gives them back. Throws std::bad_alloc. REQUIRES: the alignment is a power of two.
[[nodiscard]] void* map_aligned(std::size_t bytes, std::size_t alignment);

// Thread safety: the thread that runs the model. What a container gives back is used again by the same resource only.
class own_memory {
 public:
  [[nodiscard]] std::pmr::memory_resource* resource() noexcept { return &pools_; }

 private:
  // Maps pages.
  class system_pages final : public std::pmr::memory_resource {
    void* do_allocate(std::size_t bytes, std::size_t alignment) override;
    void do_deallocate(void* block, std::size_t bytes, std::size_t alignment) override;
    bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override { return this == &other; }
  };

  system_pages pages_;
  std::pmr::unsynchronized_pool_resource pools_{
      {.max_blocks_per_chunk = 4096, .largest_required_pool_block = 64 * 1024}, &pages_};
};

}  // namespace tact::modelled
