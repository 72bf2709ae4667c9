// Where pooled blocks come from: mappings of 64 KiB with blocks of one size, side by side.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "tact/detail/block_class.hpp"

namespace tact::base {

// A block whose size is a multiple of a line lies on lines of its own. Blocks that are taken together lie side by side,
// as far as there is room. A mapping goes back to the system when no block of it is in use; one of each size stays
// until trim. Thread safety: none; the lock of its owner guards it.
class block_memory {
 public:
  block_memory() = default;
  block_memory(const block_memory&) = delete;
  block_memory& operator=(const block_memory&) = delete;

  // Null: the system has no memory.
  [[nodiscard]] void* take(detail::block_class c) noexcept;
  void give(void* block) noexcept;
  // Gives back the pages in which no block is in use, of a few mappings: some 50 microseconds. False: there was nothing
  // to give back.
  [[nodiscard]] bool trim() noexcept;

  // How often the system was asked, and how much is held: the pages in which a block was in use since the system had
  // them.
  [[nodiscard]] std::uint64_t allocations() const noexcept { return allocations_; }
  [[nodiscard]] std::uint64_t bytes_held() const noexcept { return pages_held_ * page_bytes; }

 private:
  struct mapping;
  static constexpr std::size_t page_bytes = 4096;

  [[nodiscard]] mapping* map(detail::block_class c) noexcept;
  void unmap(mapping& m) noexcept;
  void give_back_pages(mapping& m) noexcept;
  void link(mapping& m) noexcept;
  void unlink(mapping& m) noexcept;

  std::array<mapping*, detail::block_classes> with_room_{};  // lists; what got a block back last is the first
  std::uint64_t allocations_ = 0;
  std::uint64_t pages_held_ = 0;
};

}  // namespace tact::base
