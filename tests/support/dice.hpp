// Random numbers from a seed, small enough for a message to carry.
#pragma once

#include "simulation/random.hpp"

namespace tact::support {

using dice = simulation::random;

}  // namespace tact::support
