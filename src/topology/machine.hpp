// What the machine offers to this process. Only includer of hwloc.h.
#pragma once

#include <string>
#include <vector>

#include "tact/placement.hpp"

namespace tact::topology {

// A processing unit that this process may use.
struct unit {
  seat place;
  unsigned system_number = 0;  // what the operating system calls it

  friend bool operator==(const unit&, const unit&) = default;
};

// In the order of the machine: the nearer two units are in the list, the more they share. Never empty. Affinity masks
// and cpusets are respected, as they are at the moment of the call; what one thread may use, the process may use.
[[nodiscard]] std::vector<unit> read_units();
// The same, read once: the first call decides.
[[nodiscard]] const std::vector<unit>& usable_units();
// Those of a machine in hwloc's own words, such as "package:2 l3:2 core:4 pu:2", of which the units with the numbers
// `allowed` may be used, or all when it is empty. Throws std::invalid_argument when hwloc does not understand.
[[nodiscard]] std::vector<unit> described_units(const std::string& words, const std::vector<unsigned>& allowed = {});

// The calling thread runs on that processing unit of this machine from now on. False: the system refused, or there is
// no such unit among usable_units().
[[nodiscard]] bool pin_this_thread(const seat& at) noexcept;
// It may run on all of usable_units() again. A thread starts where the one that starts it may run: one that a pinned
// thread started calls this. False: the system refused.
bool unpin_this_thread() noexcept;

}  // namespace tact::topology
