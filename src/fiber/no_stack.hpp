// The error of who needs a stack where there is none.
#pragma once

#include <cstddef>
#include <new>

#include "fiber/stack_slab.hpp"

namespace tact::fiber {

// Memory is short when it is thrown, so its text is in it.
class no_stack : public std::bad_alloc {
 public:
  // The system has refused another stack beside so many, with that errno.
  no_stack(std::size_t in_use, guards how, int error) noexcept;
  // `text`: for ever.
  explicit no_stack(const char* text) noexcept;
  [[nodiscard]] const char* what() const noexcept override { return text_; }

 private:
  char text_[320];
};

}  // namespace tact::fiber
