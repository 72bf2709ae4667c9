// All patterns: parts of which programs with actors are put together. Each has a header of its own, and none of them is
// in tact.hpp.
#include "tact/detail/language.hpp"  // first
#pragma once

#include "tact/patterns/circuit_breaker.hpp"  // IWYU pragma: export
#include "tact/patterns/debounce.hpp"  // IWYU pragma: export
#include "tact/patterns/once.hpp"  // IWYU pragma: export
#include "tact/patterns/paced.hpp"  // IWYU pragma: export
#include "tact/patterns/process_group.hpp"  // IWYU pragma: export
#include "tact/patterns/rate_gate.hpp"  // IWYU pragma: export
#include "tact/patterns/registry.hpp"  // IWYU pragma: export
#include "tact/patterns/retry.hpp"  // IWYU pragma: export
#include "tact/patterns/throttle.hpp"  // IWYU pragma: export
#include "tact/patterns/timeout.hpp"  // IWYU pragma: export
#include "tact/patterns/topic.hpp"  // IWYU pragma: export
