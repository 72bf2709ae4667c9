#include "support/home_of.hpp"

#include "actors/cell.hpp"

namespace tact::support {

std::uint32_t home_of(detail::port p) { return actors::cell_of(p).where().shard(); }

}  // namespace tact::support
