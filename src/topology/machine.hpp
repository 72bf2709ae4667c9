// What the machine offers to this process. Only the implementation of this header includes hwloc.h.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "tact/placement.hpp"

namespace tact::topology {

// A processing unit that this process may use.
struct unit {
  seat place;
  unsigned system_number = 0;  // the operating system's number for it

  friend bool operator==(const unit&, const unit&) = default;
};

// The units in the order of the machine: the nearer two units are in the list, the more they share. Never empty.
// Affinity masks and cpusets are respected, as they are at the moment of the call; a unit that any thread of the
// process may use counts as usable. No thread is moved while the machine is read. If the environment names another
// machine to hwloc, that one is not believed: then each unit that the process may use counts as a core of its own.
[[nodiscard]] std::vector<unit> read_units();
// As read_units, read once: the first call decides.
[[nodiscard]] const std::vector<unit>& usable_units();
// The units of a machine that is described in hwloc's own words, such as "package:2 l3:2 core:4 pu:2". Usable are the
// units with the numbers in `allowed`, or all units when it is empty. Throws std::invalid_argument when hwloc does not
// understand the words.
[[nodiscard]] std::vector<unit> described_units(const std::string& words, const std::vector<unsigned>& allowed = {});

// Binds the calling thread to that processing unit of this machine. False: the system refused, for example because the
// unit is offline or no longer in the cpuset of this process, or there is no such unit among usable_units(). Then the
// thread may run where it might before. When the system takes a unit away later, it lets the thread run elsewhere.
[[nodiscard]] bool pin_this_thread(const seat& at) noexcept;
// Lets the calling thread run on all of usable_units() again. A new thread may run where the thread that starts it may
// run; so a thread that a pinned thread has started calls this. False: the system refused.
bool unpin_this_thread() noexcept;
// May the calling thread run on each of usable_units() at this moment? False also where the system does not tell.
[[nodiscard]] bool may_run_everywhere() noexcept;

// How many memories (NUMA nodes) this process may use. Those count that are the nearest ones to some of usable_units():
// memory that is near to none of them may belong to a graphics card, or be slow. Read once; 0 if the system does not
// tell.
[[nodiscard]] unsigned usable_memories() noexcept;
// How many memories there are near the usable units of a machine that is described as in described_units.
[[nodiscard]] unsigned described_memories(const std::string& words, const std::vector<unsigned>& allowed = {});
// From now on the pages of this range lie on the usable memories in turn, one page on each. `first` is the beginning of
// a page, and none of the pages has been touched. False: the system refuses, as containers often make it do, and each
// page will lie where it is touched first.
[[nodiscard]] bool interleave(void* first, std::size_t bytes) noexcept;

}  // namespace tact::topology
