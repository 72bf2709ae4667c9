// Two sources that create actors: one is always compiled for debugging, one never, whatever the rest of the program is.
#pragma once

#include "tact/engine.hpp"

namespace tact::support {

// The line of the call that creates; 0 if that is not known there.
unsigned create_with_place(tact::engine& engine);
unsigned create_without_place(tact::engine& engine);

}  // namespace tact::support
