#include "base/block_memory.hpp"

#include <sys/mman.h>

#include <bit>
#include <new>

#include "base/mapping.hpp"

namespace tact::base {

using detail::block_class;

// The head of a mapping; behind it lie the blocks.
struct block_memory::mapping {
  static constexpr std::size_t all_bytes = std::size_t{64} * 1024;
  static constexpr std::size_t line_bytes = 64;
  static constexpr std::size_t word_bits = 64;
  static constexpr std::size_t pages = all_bytes / page_bytes;
  static constexpr std::size_t words = all_bytes / detail::block_step_bytes / word_bits;
  static constexpr std::size_t head_bytes = 5 * line_bytes;

  explicit mapping(block_class c) noexcept
      : bytes(static_cast<std::uint32_t>(detail::bytes_of_block(c))),
        capacity(static_cast<std::uint32_t>((all_bytes - head_bytes) / bytes)),
        free(capacity),
        its_class(c) {
    for (std::uint32_t i = 0; i < capacity; ++i) is_free[i / word_bits] |= std::uint64_t{1} << i % word_bits;
  }
  static mapping& of(void* block) noexcept {
    return *reinterpret_cast<mapping*>(reinterpret_cast<std::uintptr_t>(block) & ~(all_bytes - 1));
  }

  [[nodiscard]] std::size_t offset_of(std::uint32_t i) const noexcept { return head_bytes + std::size_t{i} * bytes; }
  [[nodiscard]] std::uint32_t index_of(const void* block) const noexcept {
    return static_cast<std::uint32_t>((reinterpret_cast<std::uintptr_t>(block) % all_bytes - head_bytes) / bytes);
  }
  // The first block that ends behind this place.
  [[nodiscard]] std::uint32_t first_behind(std::size_t offset) const noexcept {
    return offset <= head_bytes ? 0 : static_cast<std::uint32_t>((offset - head_bytes) / bytes);
  }
  [[nodiscard]] bool has_free(std::uint32_t i) const noexcept {
    return (is_free[i / word_bits] >> i % word_bits & 1) != 0;
  }
  // REQUIRES: there is a free one.
  [[nodiscard]] std::uint32_t take_first() noexcept {
    while (is_free[first_word] == 0) ++first_word;
    const auto bit = static_cast<std::uint32_t>(std::countr_zero(is_free[first_word]));
    is_free[first_word] &= is_free[first_word] - 1;
    --free;
    return static_cast<std::uint32_t>(first_word * word_bits) + bit;
  }
  void put(std::uint32_t i) noexcept {
    is_free[i / word_bits] |= std::uint64_t{1} << i % word_bits;
    ++free;
    if (i / word_bits < first_word) first_word = i / word_bits;
  }
  // The pages in which this block lies, as bits.
  [[nodiscard]] std::uint32_t pages_of(std::uint32_t i) const noexcept {
    const std::size_t from = offset_of(i) / page_bytes;
    const std::size_t to = (offset_of(i) + bytes - 1) / page_bytes;
    return (std::uint32_t{2} << to) - (std::uint32_t{1} << from);
  }
  [[nodiscard]] bool is_unused(std::size_t page) const noexcept {
    const std::size_t end = (page + 1) * page_bytes;
    for (std::uint32_t i = first_behind(page * page_bytes); i < capacity && offset_of(i) < end; ++i) {
      if (!has_free(i)) return false;
    }
    return true;
  }

  mapping* next = nullptr;  // in the list of those with room
  mapping* previous = nullptr;
  const std::uint32_t bytes;  // of a block
  const std::uint32_t capacity;
  std::uint32_t free;
  std::uint32_t held = 1;      // the pages that the system has not got back, as bits; this one always
  std::size_t first_word = 0;  // no block before it is free
  const block_class its_class;
  bool is_trimmed = false;  // no block came back since its pages were given back
  std::array<std::uint64_t, words> is_free{};
};

void* block_memory::take(block_class c) noexcept {
  static_assert(sizeof(mapping) <= mapping::head_bytes && mapping::pages < 32);
  mapping* const from = with_room_[c] != nullptr ? with_room_[c] : map(c);
  if (from == nullptr) return nullptr;
  const std::uint32_t i = from->take_first();
  if (from->free == 0) unlink(*from);
  const std::uint32_t touched = from->pages_of(i) & ~from->held;
  from->held |= touched;
  pages_held_ += static_cast<unsigned>(std::popcount(touched));
  return reinterpret_cast<std::byte*>(from) + from->offset_of(i);
}

void block_memory::give(void* block) noexcept {
  mapping& m = mapping::of(block);
  m.put(m.index_of(block));
  m.is_trimmed = false;
  if (m.free == 1) link(m);
  if (m.free == m.capacity && (m.next != nullptr || m.previous != nullptr)) unmap(m);
}

bool block_memory::trim() noexcept {
  constexpr unsigned most_at_once = 4;
  unsigned trimmed = 0;
  for (mapping* first : with_room_) {
    while (first != nullptr && trimmed != most_at_once) {
      mapping& m = *first;
      first = m.next;
      if (m.is_trimmed) continue;
      ++trimmed;
      m.free == m.capacity ? unmap(m) : give_back_pages(m);
    }
  }
  return trimmed != 0;
}

block_memory::mapping* block_memory::map(block_class c) noexcept {
  try {
    auto* const made = ::new (map_aligned(mapping::all_bytes, nullptr)) mapping(c);
    ++allocations_;
    ++pages_held_;
    link(*made);
    return made;
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}

void block_memory::unmap(mapping& m) noexcept {
  unlink(m);
  pages_held_ -= static_cast<unsigned>(std::popcount(m.held));
  ::munmap(&m, mapping::all_bytes);
}

void block_memory::give_back_pages(mapping& m) noexcept {
  m.is_trimmed = true;
  for (std::size_t page = 1; page < mapping::pages; ++page) {
    const std::uint32_t bit = std::uint32_t{1} << page;
    if ((m.held & bit) == 0 || !m.is_unused(page)) continue;
    auto* const at = reinterpret_cast<std::byte*>(&m) + page * page_bytes;
    if (::madvise(at, page_bytes, MADV_DONTNEED) != 0) continue;
    m.held &= ~bit;
    --pages_held_;
  }
}

void block_memory::link(mapping& m) noexcept {
  mapping*& first = with_room_[m.its_class];
  m.previous = nullptr;
  m.next = first;
  if (first != nullptr) first->previous = &m;
  first = &m;
}

void block_memory::unlink(mapping& m) noexcept {
  (m.previous == nullptr ? with_room_[m.its_class] : m.previous->next) = m.next;
  if (m.next != nullptr) m.next->previous = m.previous;
}

}  // namespace tact::base
