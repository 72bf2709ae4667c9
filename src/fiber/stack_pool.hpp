// Stacks for fibers: mapped with a guard below that nobody may touch, and kept for reuse.
#pragma once

#include <cstddef>
#include <mutex>

namespace tact::fiber {

// Large, because a function that needs more at once does not touch every page of it; it takes up addresses only. A
// multiple of every page size.
inline constexpr std::size_t guard_bytes = 64 * 1024;

// Usable memory; the stack grows down from bottom + bytes.
struct stack {
  std::byte* bottom = nullptr;
  std::size_t bytes = 0;

  // Who touches that address has used more than there is.
  [[nodiscard]] bool overflows_at(const void* address) const noexcept {
    return address < bottom && address >= bottom - guard_bytes;
  }
};

// Thread safety: take and give may be called by any thread.
class stack_pool {
 public:
  // Stacks of at least `stack_bytes`. Of those not in use so many are kept as were in use at once lately, and
  // `spare_kept` anyway.
  stack_pool(std::size_t stack_bytes, std::size_t spare_kept) noexcept;
  ~stack_pool();  // REQUIRES: every stack was given back
  stack_pool(const stack_pool&) = delete;
  stack_pool& operator=(const stack_pool&) = delete;

  [[nodiscard]] stack take();  // throws std::bad_alloc
  void give(stack) noexcept;   // REQUIRES: nothing runs on it
  // Keeps none that is not in use.
  void trim() noexcept;

  [[nodiscard]] std::size_t in_use() const noexcept;
  [[nodiscard]] std::size_t kept() const noexcept;  // that are not in use

  // Stacks given back: how long it is remembered how many were in use at once, at least.
  static constexpr std::size_t lately = 4096;

 private:
  struct spare {
    spare* next;
  };

  [[nodiscard]] bool keeps_another() noexcept;

  const std::size_t stack_bytes_;
  const std::size_t spare_kept_;

  mutable std::mutex mutex_;
  // Below: guarded by mutex_. The links lie in the top words of the spare stacks, the page that was used last.
  spare* spares_ = nullptr;
  std::size_t spare_count_ = 0;
  std::size_t in_use_ = 0;
  // The most that were in use at once, since `lately` began, and in the one before.
  std::size_t most_ = 0;
  std::size_t most_before_ = 0;
  std::size_t given_ = 0;
};

}  // namespace tact::fiber
