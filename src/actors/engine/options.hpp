// Checks an engine's options and fills in what was left to the engine.
#pragma once

#include "tact/engine_options.hpp"

namespace tact::actors {

// Throws tact::option_error, which names the option, its value and the remedy.
[[nodiscard]] engine_options completed(engine_options given);

}  // namespace tact::actors
