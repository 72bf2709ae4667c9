// Catch2, whichever of version 2 or 3 the system has.
#pragma once

#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
#else
#include <catch2/catch.hpp>
#endif

// Leaves a test case, and says in its output that it did not look, and why.
#define TACT_SKIP(why)     \
  do {                     \
    WARN("skipped: " why); \
    return;                \
  } while (false)
