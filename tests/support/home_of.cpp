#include "support/home_of.hpp"

#include "actors/cells/cell_region.hpp"

namespace tact::support {

std::uint32_t home_of(detail::port p) { return actors::cell_of(p).where().shard(); }
const void* memory_of(detail::port p) { return actors::cell_region::of(actors::cell_of(p)).gate.load(); }

}  // namespace tact::support
