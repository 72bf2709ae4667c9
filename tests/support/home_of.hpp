// Where an actor lives; its own file because the core's namespace tact::actors and the class template are never
// together.
#pragma once

#include <cstdint>

#include "tact/detail/core.hpp"

namespace tact::support {

// The number of the actor's home shard.
std::uint32_t home_of(detail::port p);
// What tells whose memory the actor's cell lies in: it is the same for all cells of one engine.
const void* memory_of(detail::port p);

}  // namespace tact::support
