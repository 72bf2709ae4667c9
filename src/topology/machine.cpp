#include "topology/machine.hpp"

#include <hwloc.h>

#include <algorithm>
#include <thread>

namespace tact::topology {
namespace {

unsigned count_processing_units() {
  const unsigned fallback = std::max(1u, std::thread::hardware_concurrency());
  hwloc_topology_t machine;
  if (hwloc_topology_init(&machine) != 0) return fallback;
  unsigned count = 0;
  if (hwloc_topology_load(machine) == 0) {
    hwloc_bitmap_t bound = hwloc_bitmap_alloc();
    if (bound != nullptr && hwloc_get_cpubind(machine, bound, HWLOC_CPUBIND_PROCESS) == 0) {
      hwloc_bitmap_and(bound, bound, hwloc_topology_get_allowed_cpuset(machine));
      count = static_cast<unsigned>(std::max(0, hwloc_bitmap_weight(bound)));
    }
    hwloc_bitmap_free(bound);
    if (count == 0) count = static_cast<unsigned>(std::max(0, hwloc_get_nbobjs_by_type(machine, HWLOC_OBJ_PU)));
  }
  hwloc_topology_destroy(machine);
  return count == 0 ? fallback : count;
}

}  // namespace

unsigned usable_processing_units() {
  static const unsigned count = count_processing_units();
  return count;
}

}  // namespace tact::topology
