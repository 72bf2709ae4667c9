// All patterns: parts of which programs with actors are put together. Each has a header of its own, and none of them is
// in tact.hpp.
#include "tact/detail/language.hpp"  // first
#pragma once

#include "tact/patterns/amb.hpp"            // IWYU pragma: export
#include "tact/patterns/cache.hpp"          // IWYU pragma: export
#include "tact/patterns/counter.hpp"        // IWYU pragma: export
#include "tact/patterns/distribution.hpp"   // IWYU pragma: export
#include "tact/patterns/eventual.hpp"       // IWYU pragma: export
#include "tact/patterns/histogram.hpp"      // IWYU pragma: export
#include "tact/patterns/lazy.hpp"           // IWYU pragma: export
#include "tact/patterns/next_solution.hpp"  // IWYU pragma: export
#include "tact/patterns/observable.hpp"     // IWYU pragma: export
#include "tact/patterns/subscriber.hpp"     // IWYU pragma: export
#include "tact/patterns/value_of.hpp"       // IWYU pragma: export
