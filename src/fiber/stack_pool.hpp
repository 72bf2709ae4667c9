// Stacks for fibers, kept for reuse.
#pragma once

#include <cstddef>
#include <mutex>

#include "fiber/stack_slab.hpp"

namespace tact::fiber {

// The usable memory of a stack, which grows down from bottom + bytes and has a guard below.
struct stack {
  std::byte* bottom = nullptr;
  std::size_t bytes = 0;
  stack_slab* slab = nullptr;  // of which it is a part

  // True: code that touches that address has used more of this stack than there is.
  [[nodiscard]] bool overflows_at(const void* address) const noexcept {
    return address < bottom && address >= bottom - slab->shape().guard_bytes;
  }
};

// Stacks lie in slabs. The pages of a stack that is neither in use nor kept go back to the system, and so does a slab
// that has no stack in use or kept. Thread safety: any thread may call take, give and trim.
class stack_pool {
 public:
  // Makes stacks of at least `stack_bytes`. It keeps those not in use while they are fewer than `spare_kept`, or while
  // all of its stacks together are fewer than were in use at once lately.
  stack_pool(std::size_t stack_bytes, std::size_t spare_kept, guards how = guards::cheapest) noexcept;
  ~stack_pool();  // REQUIRES: every stack was given back
  stack_pool(const stack_pool&) = delete;
  stack_pool& operator=(const stack_pool&) = delete;

  [[nodiscard]] stack take();  // throws fiber::no_stack, a std::bad_alloc
  void give(stack) noexcept;   // REQUIRES: nothing runs on it
  // Gives back all stacks that are not in use.
  void trim() noexcept;

  [[nodiscard]] std::size_t in_use() const noexcept;
  [[nodiscard]] std::size_t kept() const noexcept;  // those not in use
  // A lower bound: the pool does not know how deep a stack was used, so it counts only the first page of each.
  [[nodiscard]] std::size_t bytes_held() const noexcept;
  [[nodiscard]] std::size_t allocations() const noexcept;  // slabs mapped, ever

  // The number of stacks that have the widest guards. These guards are mappings: they take up a sixteenth of those that
  // Linux allows a process by default. Further stacks have guards of base::usual_guard_bytes.
  static constexpr std::size_t wide_max = 2048;
  // The pool remembers how many stacks were in use at once until at least so many stacks have been given back.
  static constexpr std::size_t lately = 4096;

 private:
  struct spare {
    spare* next;
    stack_slab* slab;
  };

  [[nodiscard]] bool keeps_another() noexcept;
  [[nodiscard]] stack take_spare() noexcept;
  [[nodiscard]] stack take_fresh();
  [[nodiscard]] std::byte* take_of(stack_slab*) noexcept;
  [[nodiscard]] stack_slab* add_slab() noexcept;
  [[nodiscard]] stack_slab* map_with(std::size_t guard_bytes, unsigned places) const noexcept;
  void count_added(const slab_shape&) noexcept;
  void count_removed(const slab_shape&) noexcept;
  void put(const stack& s) noexcept;
  static void link(stack_slab& s, stack_slab*& list) noexcept;
  static void unlink(stack_slab& s, stack_slab*& list) noexcept;
  [[nodiscard]] stack_slab* release(stack_slab& s) noexcept;

  const std::size_t stack_bytes_;
  const std::size_t spare_kept_;

  mutable std::mutex mutex_;
  // Below: guarded by mutex_. The links of this list lie in the top words of the spare stacks, in the page that every
  // use of a stack touches.
  spare* spares_ = nullptr;
  std::size_t spare_count_ = 0;
  std::size_t in_use_ = 0;
  guards how_;                  // how guards that are not wide are made, as far as is known
  bool is_narrow_ = false;      // the system has refused wide guards
  stack_slab* open_ = nullptr;  // the slabs with a free stack; the one that last got a stack back is the first
  stack_slab* full_ = nullptr;  // the others
  std::size_t places_ = 0;      // in all slabs
  std::size_t wide_ = 0;        // those of them that have wide guards
  std::size_t addresses_ = 0;   // of all slabs, in bytes
  std::size_t allocations_ = 0;
  // The most stacks that were in use at once, in the current period and in the one before. A period ends when `lately`
  // stacks, or more, were given back in it.
  std::size_t most_ = 0;
  std::size_t most_before_ = 0;
  std::size_t given_ = 0;
};

}  // namespace tact::fiber
