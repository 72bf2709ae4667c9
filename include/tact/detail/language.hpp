// Included before everything else: with an older language the compiler reports this error and nothing else.
#pragma once

#if __cplusplus < 202002L
#error "tact needs C++20: compile with -std=c++20 or later"
// No compiler goes on behind a header that does not exist, so it does not complain of all that follows.
#include "tact/needs/-std=c++20"
#endif
