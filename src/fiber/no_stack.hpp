// The error of a handler that needs a stack when there is none.
#pragma once

#include <cstddef>
#include <new>

#include "fiber/stack_slab.hpp"

namespace tact::fiber {

// Memory is short when this is thrown, so the object contains its text.
class no_stack : public std::bad_alloc {
 public:
  // The system has refused another stack beside `in_use` ones, with errno `error`.
  no_stack(std::size_t in_use, guards how, int error) noexcept;
  // The call that needs a stack, and why there is none; both are copied.
  no_stack(const char* call, const char* why) noexcept;
  [[nodiscard]] const char* what() const noexcept override { return text_; }

 private:
  char text_[320];
};

}  // namespace tact::fiber
