// What the machine offers to this process. Only includer of hwloc.h.
#pragma once

namespace tact::topology {

// Processing units that this process may run on: affinity masks and cpusets are respected. At least 1. Read once.
[[nodiscard]] unsigned usable_processing_units();

}  // namespace tact::topology
