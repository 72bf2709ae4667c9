// A mapping with places for stacks. Below each place lies a guard: an access to it is a fault.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tact::fiber {

[[nodiscard]] std::size_t page_bytes() noexcept;

// How guards are made. A process may have only a limited number of mappings (vm.max_map_count).
enum class guards : unsigned char {
  // A guard is a part of the mapping where the system can do that (Linux 6.13 and later), otherwise apart. It costs 8
  // bytes of page tables for each page of a guard, and the time to write them.
  cheapest,
  apart,  // a guard and a stack are a mapping each; a guard costs the same whatever its width
};

struct slab_shape {
  std::size_t stack_bytes;
  std::size_t guard_bytes;
  unsigned places;
  guards how;

  [[nodiscard]] std::size_t stride_bytes() const noexcept { return guard_bytes + stack_bytes; }
  [[nodiscard]] std::size_t bytes() const noexcept { return places * stride_bytes(); }
};

// Thread safety: none; the lock of its pool guards it.
class stack_slab {
 public:
  static constexpr unsigned places_max = 64;

  // Null: the system refuses the mapping, errno says why.
  [[nodiscard]] static stack_slab* map(slab_shape) noexcept;
  static void unmap(stack_slab* s) noexcept;
  stack_slab(const stack_slab&) = delete;
  stack_slab& operator=(const stack_slab&) = delete;

  // `how` says how its guards are made as far as the slab knows yet.
  [[nodiscard]] const slab_shape& shape() const noexcept { return shape_; }
  [[nodiscard]] bool is_full() const noexcept { return free_ == 0; }
  [[nodiscard]] bool is_unused() const noexcept { return free_ == all(); }
  // Takes a free stack, and returns its lowest address. Null: the system refuses the guard, errno says why. REQUIRES:
  // the slab is not full.
  [[nodiscard]] std::byte* take() noexcept;
  // The stack is free from now on. What was written there stays in memory until `release`.
  void give(const std::byte* bottom) noexcept;
  // Gives the pages of free stacks back to the system.
  void release() noexcept;

  // The pool links slabs by these members.
  stack_slab* next = nullptr;
  stack_slab* previous = nullptr;

 private:
  stack_slab(std::byte* first, const slab_shape&) noexcept;
  ~stack_slab() = default;

  [[nodiscard]] std::uint64_t all() const noexcept { return ~std::uint64_t{0} >> (places_max - shape_.places); }
  [[nodiscard]] std::byte* guard_of(unsigned place) const noexcept { return first_ + place * shape_.stride_bytes(); }
  [[nodiscard]] std::byte* stack_of(unsigned place) const noexcept { return guard_of(place) + shape_.guard_bytes; }
  [[nodiscard]] bool guard(unsigned place) noexcept;

  std::byte* const first_;
  slab_shape shape_;
  // One bit for each place.
  std::uint64_t free_;
  std::uint64_t guarded_ = 0;  // has its guard, for good
  std::uint64_t used_ = 0;     // was used since its pages went back to the system
};

}  // namespace tact::fiber
