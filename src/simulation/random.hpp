// Random numbers for schedules.
#pragma once

#include "base/random.hpp"

namespace tact::simulation {

using base::random;

}  // namespace tact::simulation
