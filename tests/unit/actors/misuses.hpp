// Misuses in a source that is never compiled for debugging, whatever the rest of the program is.
#pragma once

#include "tact/engine.hpp"

namespace tact::support {

// Sends a message to an actor of the engine, whose handler keeps its self.
void keep_self(tact::engine& engine);
// Sends by that. REQUIRES: the handler has returned, and the engine is idle.
void use_kept_self(tact::engine& engine);

}  // namespace tact::support
