// Included before everything else: with an older language, or without exceptions, the compiler reports this error and
// nothing else. And it says so where an option lays out classes in another way than in the library, which the linker
// cannot see.
#pragma once

#if __cplusplus < 202002L
#error "tact needs C++20: compile with -std=c++20 or later"
// No compiler goes on behind a header that does not exist, so it does not complain of all that follows.
#include "tact/needs/-std=c++20"
#endif

#if !defined(__cpp_exceptions)
#error "tact needs exceptions, by which a handler takes back what it has staged: compile without -fno-exceptions"
#include "tact/needs/-fexceptions"
#endif

namespace tact::detail {

struct alignas(64) line_of_memory {
  char first;
};
struct usual_layout {
  char first;
  line_of_memory last;
};
static_assert(
    sizeof(usual_layout) == 2 * sizeof(line_of_memory),
    "tact: -fpack-struct, or a #pragma pack before #include <tact/...>, lays out classes in another way than in "
    "the library: compile without it");

}  // namespace tact::detail
