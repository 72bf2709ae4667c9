// Random numbers from a seed, small enough for a message to carry.
#pragma once

#include "base/random.hpp"

namespace tact::support {

using dice = base::random;

}  // namespace tact::support
