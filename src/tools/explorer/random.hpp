// Random numbers for schedules.
#pragma once

#include "base/random.hpp"

namespace tact::explorer {

using base::random;

}  // namespace tact::explorer
