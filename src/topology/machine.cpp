#include "topology/machine.hpp"

#include <hwloc.h>
#include <unistd.h>
#if defined(__linux__)
#include <sched.h>
#endif

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>

namespace tact::topology {
namespace {

struct destroyer {
  void operator()(hwloc_topology_t t) const noexcept { hwloc_topology_destroy(t); }
  void operator()(hwloc_bitmap_t set) const noexcept { hwloc_bitmap_free(set); }
};
using topology_owner = std::unique_ptr<std::remove_pointer_t<hwloc_topology_t>, destroyer>;
using bitmap_owner = std::unique_ptr<std::remove_pointer_t<hwloc_bitmap_t>, destroyer>;

// While hwloc reads a machine, the calling thread stays where it may run. Otherwise hwloc's component for x86 takes it
// to each unit in turn, those included that the process may not use, and there it waits for what runs on them.
// hwloc 2.1 can leave a component out; 2.5 has a flag, which holds even if the environment asks for that component.
void read_from_here(hwloc_topology_t machine) {
  hwloc_topology_set_components(machine, HWLOC_TOPOLOGY_COMPONENTS_FLAG_BLACKLIST, "x86");
#if HWLOC_API_VERSION >= 0x00020500
  const unsigned long flags = hwloc_topology_get_flags(machine);
  hwloc_topology_set_flags(machine, flags | HWLOC_TOPOLOGY_FLAG_DONT_CHANGE_BINDING);  // refused if it runs with 2.4
#endif
}

// Loads the machine that `words` describe; when `words` is null, the one that the environment names, or this machine.
// Null when hwloc fails.
topology_owner load(const char* words, unsigned long flags = 0) {
  hwloc_topology_t made = nullptr;
  if (hwloc_topology_init(&made) != 0) return nullptr;
  topology_owner machine(made);
  // Units are numbered over the whole machine, those included that this process may not use.
  hwloc_topology_set_flags(made, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED | flags);
  read_from_here(made);
  if (words != nullptr && hwloc_topology_set_synthetic(made, words) != 0) return nullptr;
  return hwloc_topology_load(made) == 0 ? std::move(machine) : nullptr;
}

// The units that some thread of this process may use. Null where the system does not tell.
bitmap_owner affinity_of_process(hwloc_topology_t machine) {
  bitmap_owner bound(hwloc_bitmap_alloc());
  if (bound == nullptr) throw std::bad_alloc();
  return hwloc_get_cpubind(machine, bound.get(), HWLOC_CPUBIND_PROCESS) == 0 ? std::move(bound) : nullptr;
}

// HWLOC_SYNTHETIC, HWLOC_XMLFILE and others in the environment may name a machine that is not here. hwloc knows that
// unless HWLOC_THISSYSTEM says otherwise; then the machine has to have each unit that this process may use.
bool is_here(hwloc_topology_t machine) {
  if (hwloc_topology_is_thissystem(machine) == 0) return false;
  const bitmap_owner bound = affinity_of_process(machine);
  return bound == nullptr || hwloc_bitmap_isincluded(bound.get(), hwloc_topology_get_topology_cpuset(machine)) != 0;
}

// Makes a machine like this one, of which nothing is known but how many units it has: each of them is a core of its
// own. Null when hwloc fails.
topology_owner load_flat() {
  const long units = ::sysconf(_SC_NPROCESSORS_CONF);
  topology_owner flat = load(("pu:" + std::to_string(std::max(1L, units))).c_str(), HWLOC_TOPOLOGY_FLAG_IS_THISSYSTEM);
  return flat != nullptr && hwloc_topology_is_thissystem(flat.get()) != 0 ? std::move(flat) : nullptr;
}

// This machine as hwloc shows it; null when hwloc fails, or HWLOC_THISSYSTEM forbids it to speak of this machine. It is
// kept to the end of the process, because loading it again for each thread would take milliseconds.
hwloc_topology_t this_machine() {
  static const topology_owner machine = [] {
    topology_owner read = load(nullptr);
    return read != nullptr && is_here(read.get()) ? std::move(read) : load_flat();
  }();
  return machine.get();
}

// Numbers things by first appearance.
class numbering {
 public:
  unsigned of(const void* thing) {
    const auto at = std::find(seen_.rbegin(), seen_.rend(), thing);
    if (at != seen_.rend()) return static_cast<unsigned>(seen_.rend() - at - 1);
    seen_.push_back(thing);
    return static_cast<unsigned>(seen_.size() - 1);
  }

 private:
  std::vector<const void*> seen_;
};

// Numbers the core, cache, memory and package of each unit. Where the machine has no core, the unit stands for it, and
// where it has no cache, the core does; units without memory or package share one number for it.
class seat_numbers {
 public:
  seat of(hwloc_topology_t machine, hwloc_obj_t unit) {
    hwloc_obj_t core = unit;
    hwloc_obj_t cache = nullptr;
    hwloc_obj_t package = nullptr;
    for (hwloc_obj_t above = unit->parent; above != nullptr; above = above->parent) {
      if (above->type == HWLOC_OBJ_CORE) core = above;
      if (hwloc_obj_type_is_dcache(above->type)) cache = above;  // the outermost one stays
      if (above->type == HWLOC_OBJ_PACKAGE) package = above;
    }
    const int node = hwloc_bitmap_first(unit->nodeset);
    hwloc_obj_t memory = node < 0 ? nullptr : hwloc_get_numanode_obj_by_os_index(machine, static_cast<unsigned>(node));
    return {unit->logical_index, cores_.of(core), caches_.of(cache == nullptr ? core : cache), memories_.of(memory),
            packages_.of(package)};
  }

 private:
  numbering cores_, caches_, memories_, packages_;
};

std::vector<unit> units_of(hwloc_topology_t machine, hwloc_const_bitmap_t allowed) {
  std::vector<unit> units;
  seat_numbers numbers;
  for (hwloc_obj_t at = nullptr; (at = hwloc_get_next_obj_by_type(machine, HWLOC_OBJ_PU, at)) != nullptr;) {
    const seat place = numbers.of(machine, at);
    if (hwloc_bitmap_isset(allowed, at->os_index) != 0) units.push_back({place, at->os_index});
  }
  return units;
}

// Counts the units that the calling thread may use, if the system tells; else those that the standard library counts.
unsigned count_units() noexcept {
#if defined(__linux__)
  cpu_set_t mine;
  if (::sched_getaffinity(0, sizeof mine, &mine) == 0) return static_cast<unsigned>(CPU_COUNT(&mine));
#endif
  return std::max(1u, std::thread::hardware_concurrency());
}

// What is assumed when there is no machine to ask: each unit is a core of its own.
std::vector<unit> counted_units() {
  std::vector<unit> units(count_units());
  for (unsigned i = 0; i < units.size(); ++i) {
    units[i].place.processing_unit = units[i].place.core = units[i].system_number = i;
  }
  return units;
}

// Throws std::invalid_argument.
topology_owner described_machine(const std::string& words) {
  topology_owner machine = load(words.c_str());
  if (machine == nullptr) throw std::invalid_argument("hwloc does not know such a machine: " + words);
  return machine;
}

// The set of the units with these numbers, or of all units when no number is given.
bitmap_owner set_of(const std::vector<unsigned>& allowed) {
  bitmap_owner set(hwloc_bitmap_alloc());
  if (set == nullptr) throw std::bad_alloc();
  if (allowed.empty()) hwloc_bitmap_fill(set.get());
  for (const unsigned number : allowed) hwloc_bitmap_set(set.get(), number);
  return set;
}

// Binds the calling thread to the usable units for which `wanted` is true. False: it could not be done.
template <class Wanted>
bool bind_this_thread(Wanted wanted) noexcept {
  try {
    const bitmap_owner set(hwloc_bitmap_alloc());
    if (set == nullptr) return false;
    for (const unit& u : usable_units()) {
      if (wanted(u)) hwloc_bitmap_set(set.get(), u.system_number);
    }
    hwloc_topology_t const machine = this_machine();
    return machine != nullptr && hwloc_bitmap_iszero(set.get()) == 0 &&
           hwloc_set_cpubind(machine, set.get(), HWLOC_CPUBIND_THREAD) == 0;
  } catch (...) {
    return false;
  }
}

// The memories that are the nearest ones to these units, by the system's numbers, as far as the process may use them.
// Throws std::bad_alloc.
bitmap_owner near_memories(hwloc_topology_t machine, const std::vector<unit>& units) {
  bitmap_owner near(hwloc_bitmap_alloc());
  if (near == nullptr) throw std::bad_alloc();
  for (const unit& u : units) {
    hwloc_obj_t const at = hwloc_get_pu_obj_by_os_index(machine, u.system_number);
    const int nearest = at == nullptr ? -1 : hwloc_bitmap_first(at->nodeset);
    if (nearest >= 0) hwloc_bitmap_set(near.get(), static_cast<unsigned>(nearest));
  }
  hwloc_bitmap_and(near.get(), near.get(), hwloc_topology_get_allowed_nodeset(machine));
  return near;
}

unsigned count(hwloc_const_bitmap_t set) noexcept {
  const int members = hwloc_bitmap_weight(set);
  return members < 0 ? 0 : static_cast<unsigned>(members);
}

// The memories that this process may use. Null when hwloc fails.
hwloc_const_bitmap_t memories_of_this_process() {
  static const bitmap_owner memories =
      this_machine() == nullptr ? nullptr : near_memories(this_machine(), usable_units());
  return memories.get();
}

}  // namespace

std::vector<unit> read_units() {
  hwloc_topology_t const machine = this_machine();
  if (machine == nullptr) return counted_units();
  const bitmap_owner bound = affinity_of_process(machine);
  std::vector<unit> units =
      units_of(machine, bound == nullptr ? hwloc_topology_get_allowed_cpuset(machine) : bound.get());
  return units.empty() ? counted_units() : units;
}

const std::vector<unit>& usable_units() {
  static const std::vector<unit> units = read_units();
  return units;
}

std::vector<unit> described_units(const std::string& words, const std::vector<unsigned>& allowed) {
  return units_of(described_machine(words).get(), set_of(allowed).get());
}

unsigned described_memories(const std::string& words, const std::vector<unsigned>& allowed) {
  const topology_owner machine = described_machine(words);
  return count(near_memories(machine.get(), units_of(machine.get(), set_of(allowed).get())).get());
}

bool pin_this_thread(const seat& at) noexcept {
  return bind_this_thread([&](const unit& u) { return u.place == at; });
}

bool unpin_this_thread() noexcept {
  return bind_this_thread([](const unit&) { return true; });
}

bool may_run_everywhere() noexcept {
  try {
    hwloc_topology_t const machine = this_machine();
    const bitmap_owner mine(hwloc_bitmap_alloc());
    if (machine == nullptr || mine == nullptr) return false;
    if (hwloc_get_cpubind(machine, mine.get(), HWLOC_CPUBIND_THREAD) != 0) return false;
    const auto& units = usable_units();
    return std::all_of(units.begin(), units.end(),
                       [&](const unit& u) { return hwloc_bitmap_isset(mine.get(), u.system_number) != 0; });
  } catch (...) {
    return false;
  }
}

unsigned usable_memories() noexcept {
  try {
    hwloc_const_bitmap_t const memories = memories_of_this_process();
    return memories == nullptr ? 0 : count(memories);
  } catch (...) {
    return 0;
  }
}

bool interleave(void* first, std::size_t bytes) noexcept {
  try {
    hwloc_const_bitmap_t const memories = memories_of_this_process();
    return memories != nullptr && count(memories) != 0 &&
           hwloc_set_area_membind(this_machine(), first, bytes, memories, HWLOC_MEMBIND_INTERLEAVE,
                                  HWLOC_MEMBIND_BYNODESET) == 0;
  } catch (...) {
    return false;
  }
}

}  // namespace tact::topology
