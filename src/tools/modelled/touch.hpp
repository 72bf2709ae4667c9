// Accesses to memory that the compiler does not tell of.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tact::modelled {

// The running thread reads or writes so many bytes; nothing outside of a model. `place`: of the code.
void touch_read(const void* first, std::size_t bytes, std::uintptr_t place);
void touch_write(const void* first, std::size_t bytes, std::uintptr_t place);

}  // namespace tact::modelled
