// Where an actor lives; its own file because the core's namespace tact::actors and the class template are never
// together.
#pragma once

#include <cstdint>

#include "tact/detail/core.hpp"

namespace tact::support {

// The number of the actor's home shard.
std::uint32_t home_of(detail::port p);

}  // namespace tact::support
