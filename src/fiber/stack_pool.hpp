// Stacks for fibers, kept for reuse.
#pragma once

#include <cstddef>
#include <mutex>

#include "fiber/stack_slab.hpp"

namespace tact::fiber {

// Usable memory; the stack grows down from bottom + bytes, and has a guard below.
struct stack {
  std::byte* bottom = nullptr;
  std::size_t bytes = 0;
  stack_slab* slab = nullptr;  // that it is part of

  // Who touches that address has used more than there is.
  [[nodiscard]] bool overflows_at(const void* address) const noexcept {
    return address < bottom && address >= bottom - guard_bytes;
  }
};

// Stacks lie in slabs. The pages of one that is neither in use nor kept go back to the system, and so does a slab of
// which no stack is either. Thread safety: take, give and trim may be called by any thread.
class stack_pool {
 public:
  // Stacks of at least `stack_bytes`. Of those not in use so many are kept as were in use at once lately, and
  // `spare_kept` anyway.
  stack_pool(std::size_t stack_bytes, std::size_t spare_kept, guards how = guards::cheapest) noexcept;
  ~stack_pool();  // REQUIRES: every stack was given back
  stack_pool(const stack_pool&) = delete;
  stack_pool& operator=(const stack_pool&) = delete;

  [[nodiscard]] stack take();  // throws fiber::no_stack, a std::bad_alloc
  void give(stack) noexcept;   // REQUIRES: nothing runs on it
  // Keeps none that is not in use.
  void trim() noexcept;

  [[nodiscard]] std::size_t in_use() const noexcept;
  [[nodiscard]] std::size_t kept() const noexcept;  // that are not in use
  // At least: nobody knows how deep a stack was used. So its first page alone is counted.
  [[nodiscard]] std::size_t bytes_held() const noexcept;
  [[nodiscard]] std::size_t allocations() const noexcept;  // slabs, ever

  // Stacks given back: how long it is remembered how many were in use at once, at least.
  static constexpr std::size_t lately = 4096;

 private:
  struct spare {
    spare* next;
    stack_slab* slab;
  };

  [[nodiscard]] bool keeps_another() noexcept;
  [[nodiscard]] stack take_spare() noexcept;
  [[nodiscard]] stack take_fresh();
  [[nodiscard]] stack_slab* add_slab() noexcept;
  void put(const stack& s) noexcept;
  static void link(stack_slab& s, stack_slab*& list) noexcept;
  static void unlink(stack_slab& s, stack_slab*& list) noexcept;
  [[nodiscard]] stack_slab* release(stack_slab& s) noexcept;

  const std::size_t stack_bytes_;
  const std::size_t spare_kept_;

  mutable std::mutex mutex_;
  // Below: guarded by mutex_. The links lie in the top words of the spare stacks, the page that was used last.
  spare* spares_ = nullptr;
  std::size_t spare_count_ = 0;
  std::size_t in_use_ = 0;
  guards how_;                  // guards are made, as far as is known
  stack_slab* open_ = nullptr;  // the slabs in which something is free, the last that got a stack back first
  stack_slab* full_ = nullptr;  // the others
  std::size_t places_ = 0;      // of all slabs
  std::size_t allocations_ = 0;
  // The most that were in use at once, since `lately` began, and in the one before.
  std::size_t most_ = 0;
  std::size_t most_before_ = 0;
  std::size_t given_ = 0;
};

}  // namespace tact::fiber
