// What the engine shares with the public headers is in tact::detail. The engine is made of it, and names it as its own.
#pragma once

#include "tact/detail/core.hpp"

namespace tact::actors {

using namespace detail;

}  // namespace tact::actors
