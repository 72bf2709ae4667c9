// The stack that the system gave a thread.
#pragma once

#include <cstddef>

namespace tact::fiber {

struct thread_stack {
  const std::byte* bottom = nullptr;
  std::size_t bytes = 0;
  std::size_t guard_bytes = 0;  // below the bottom

  [[nodiscard]] static thread_stack of_this_thread() noexcept;  // empty when the system does not say
  // True: code that touches that address has used more of this stack than there is.
  [[nodiscard]] bool overflows_at(const void* address) const noexcept {
    return address < bottom && address >= bottom - guard_bytes;
  }
};

}  // namespace tact::fiber
