// A mapping with places for stacks. Below each place lies a guard: an access to it is a fault.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tact::fiber {

// A guard is large, because a function with a large frame does not touch every page of it and could jump over a small
// one. It takes up addresses only, and its size is a multiple of every page size.
inline constexpr std::size_t guard_bytes = 64 * 1024;

[[nodiscard]] std::size_t page_bytes() noexcept;

// How guards are made. A process may have only a limited number of mappings (vm.max_map_count).
enum class guards : unsigned char {
  cheapest,  // as part of the mapping, where the system can do that: Linux 6.13 and later; otherwise:
  apart,     // a guard and a stack are a mapping each
};

// Thread safety: none; the lock of its pool guards it.
class stack_slab {
 public:
  static constexpr unsigned places_max = 64;

  // Null: the system refuses the mapping, errno says why.
  [[nodiscard]] static stack_slab* map(std::size_t stack_bytes, unsigned places, guards how) noexcept;
  static void unmap(stack_slab* s) noexcept;
  stack_slab(const stack_slab&) = delete;
  stack_slab& operator=(const stack_slab&) = delete;

  [[nodiscard]] unsigned places() const noexcept { return places_; }
  // How its guards are made, as far as the slab knows yet.
  [[nodiscard]] guards how() const noexcept { return how_; }
  [[nodiscard]] bool is_full() const noexcept { return free_ == 0; }
  [[nodiscard]] bool is_unused() const noexcept { return free_ == all(); }
  // Takes a free stack, and returns its lowest address. Null: the system refuses the guard, errno says why. REQUIRES:
  // the slab is not full.
  [[nodiscard]] std::byte* take() noexcept;
  // The stack is free from now on. What was written there stays in memory until `release`.
  void give(const std::byte* bottom) noexcept;
  // Gives the pages of free stacks back to the system.
  void release() noexcept;

  // For the lists of the pool.
  stack_slab* next = nullptr;
  stack_slab* previous = nullptr;

 private:
  stack_slab(std::byte* first, std::size_t stack_bytes, unsigned places, guards how) noexcept;
  ~stack_slab() = default;

  [[nodiscard]] std::uint64_t all() const noexcept { return ~std::uint64_t{0} >> (places_max - places_); }
  [[nodiscard]] std::size_t stride_bytes() const noexcept { return guard_bytes + stack_bytes_; }
  [[nodiscard]] std::byte* guard_of(unsigned place) const noexcept { return first_ + place * stride_bytes(); }
  [[nodiscard]] bool guard(unsigned place) noexcept;

  std::byte* const first_;
  const std::size_t stack_bytes_;
  const unsigned places_;
  guards how_;
  // One bit for each place.
  std::uint64_t free_;
  std::uint64_t guarded_ = 0;  // has its guard, for good
  std::uint64_t used_ = 0;     // was used since its pages went back to the system
};

}  // namespace tact::fiber
