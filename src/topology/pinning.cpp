#include "topology/pinning.hpp"

#include <set>

#include "topology/cpu_quota.hpp"

namespace tact::topology {
namespace {

// Are there several of these parts of the machine, and several cores in one of them?
bool divides(const std::vector<unit>& units, unsigned seat::*part) {
  std::set<unsigned> cores, parts;
  for (const unit& u : units) {
    cores.insert(u.place.core);
    parts.insert(u.place.*part);
  }
  return parts.size() > 1 && parts.size() < cores.size();
}

}  // namespace

bool has_neighbourhoods(const std::vector<unit>& units) {
  return divides(units, &seat::cache) || divides(units, &seat::memory) || divides(units, &seat::package);
}

bool pays_to_pin(unsigned workers, const surroundings& here) {
  const std::size_t units = here.units.size();
  return workers >= 2 &&                                                // one alone has no neighbour
         workers <= units &&                                            // two on one unit could not get out of the way
         (!here.quota || *here.quota >= static_cast<double>(units)) &&  // less: others are to have the rest
         here.thread_runs_anywhere &&                                   // else the user has chosen, or units have gone
         has_neighbourhoods(here.units);
}

bool pays_to_pin(unsigned workers) {
  // What costs more is read only where it matters.
  if (workers < 2 || workers > usable_units().size() || !has_neighbourhoods(usable_units())) return false;
  return pays_to_pin(workers, {usable_units(), read_cpu_quota(), may_run_everywhere()});
}

}  // namespace tact::topology
