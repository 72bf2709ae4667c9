#include "topology/plan.hpp"

#include <algorithm>
#include <map>

#include "topology/cpu_quota.hpp"

namespace tact::topology {

unsigned default_workers() {
  static const unsigned workers = [] {
    const auto units = static_cast<unsigned>(usable_units().size());
    const auto quota = read_cpu_quota();
    return quota ? std::min(units, threads_for(*quota)) : units;
  }();
  return workers;
}

placement_plan plan(unsigned workers) { return plan(usable_units(), workers); }
placement_plan plan(unsigned workers, unsigned most) { return plan(usable_units(), workers, most); }

placement_plan plan(const std::vector<unit>& units, unsigned workers) {
  // A unit's rank is the number of units before it in its core. Sorted by ranks, the first units of all cores come
  // first, and all second units behind them.
  struct candidate {
    unsigned rank;
    std::size_t unit;
  };
  std::vector<candidate> order;
  std::map<unsigned, unsigned> taken;
  for (std::size_t i = 0; i < units.size(); ++i) order.push_back({taken[units[i].place.core]++, i});
  std::stable_sort(order.begin(), order.end(), [](auto& a, auto& b) { return a.rank < b.rank; });
  order.resize(std::min<std::size_t>(workers, order.size()));
  std::sort(order.begin(), order.end(), [](auto& a, auto& b) { return a.unit < b.unit; });

  placement_plan made;
  for (unsigned i = 0; i < workers; ++i) made.seats.push_back(units[order[i % order.size()].unit].place);
  return made;
}

placement_plan plan(const std::vector<unit>& units, unsigned workers, unsigned most) {
  placement_plan made = plan(units, workers);
  std::vector<seat> given = made.seats;
  for (const seat& one : plan(units, most).seats) {
    const auto before = std::find(given.begin(), given.end(), one);
    before == given.end() ? made.seats.push_back(one) : void(given.erase(before));
  }
  return made;
}

}  // namespace tact::topology
