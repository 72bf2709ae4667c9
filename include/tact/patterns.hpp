// All patterns: parts of which programs with actors are put together. Each has a header of its own, and none of them is
// in tact.hpp.
#include "tact/detail/language.hpp"  // first
#pragma once

#include "tact/patterns/give_back.hpp"        // IWYU pragma: export
#include "tact/patterns/membrane.hpp"         // IWYU pragma: export
#include "tact/patterns/once.hpp"             // IWYU pragma: export
#include "tact/patterns/pool.hpp"             // IWYU pragma: export
#include "tact/patterns/read_write_lock.hpp"  // IWYU pragma: export
#include "tact/patterns/resequencer.hpp"      // IWYU pragma: export
#include "tact/patterns/router.hpp"           // IWYU pragma: export
#include "tact/patterns/routing.hpp"          // IWYU pragma: export
#include "tact/patterns/stash.hpp"            // IWYU pragma: export
#include "tact/patterns/suspend.hpp"          // IWYU pragma: export
#include "tact/patterns/ticket.hpp"           // IWYU pragma: export
