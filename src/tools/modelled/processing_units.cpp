#include "tools/modelled/processing_units.hpp"

#include <algorithm>
#include <tuple>

namespace tact::modelled {

processing_units::processing_units(const machine& on)
    : machine_(on), units_(on.units().size()), units_of_core_(on.cores().size()) {
  for (unsigned i = 0; i < units_.size(); ++i) units_of_core_[core_of(i)].push_back(i);
}

bool processing_units::shares_core(unsigned unit) const noexcept {
  const std::vector<unsigned>& all = units_of_core_[core_of(unit)];
  return std::any_of(all.begin(), all.end(), [&](unsigned other) { return other != unit && !is_free(other); });
}

void processing_units::take(unsigned unit, unsigned thread, picoseconds at) noexcept {
  units_[unit].occupant = thread;
  units_[unit].taken_at = at;
}

void processing_units::leave(unsigned unit, picoseconds at) noexcept {
  units_[unit].occupant = nobody;
  units_[unit].free_since = at;
}

unsigned processing_units::end_wait_for(unsigned unit, const thread_list& threads) noexcept {
  std::deque<unsigned>* from = nullptr;
  std::deque<unsigned>::iterator found;
  auto nearest = source::memory;
  for (unsigned i = 0; i < units_.size(); ++i) {
    std::deque<unsigned>& queue = units_[i].queue;
    const auto may_go = [&](unsigned thread) { return i == unit || !threads[thread]->is_pinned; };
    const auto first = std::find_if(queue.begin(), queue.end(), may_go);
    if (first == queue.end()) continue;
    const source distance = i == unit ? source::l2 : machine_.between(core_of(unit), core_of(i));
    if (from != nullptr && distance >= nearest) continue;
    from = &queue;
    found = first;
    nearest = distance;
  }
  if (from == nullptr) return nobody;
  const unsigned thread = *found;
  from->erase(found);
  return thread;
}

unsigned processing_units::nearest_free(unsigned unit) const noexcept {
  if (is_free(unit)) return unit;
  unsigned best = unit;
  auto nearest = source::memory;
  for (unsigned i = 0; i < units_.size(); ++i) {
    if (!is_free(i)) continue;
    const source from = machine_.between(core_of(unit), core_of(i));
    if (best == unit || from < nearest) {
      best = i;
      nearest = from;
    }
  }
  return best;
}

unsigned processing_units::least_loaded() const noexcept {
  std::vector<unsigned> on_package(machine_.cores().size()), on_cache(machine_.caches()),
      on_core(machine_.cores().size());
  for (unsigned i = 0; i < units_.size(); ++i) {
    const unsigned core = core_of(i);
    const auto load = static_cast<unsigned>(units_[i].queue.size()) + (is_free(i) ? 0 : 1);
    on_core[core] += load;
    on_cache[machine_.cores()[core].cache] += load;
    on_package[machine_.cores()[core].package] += load;
  }
  const auto load_of = [&](unsigned i) {
    const unsigned core = core_of(i);
    return std::tuple(!is_free(i), on_package[machine_.cores()[core].package], on_cache[machine_.cores()[core].cache],
                      on_core[core], units_[i].queue.size());
  };
  unsigned best = 0;
  for (unsigned i = 1; i < units_.size(); ++i)
    if (load_of(i) < load_of(best)) best = i;
  return best;
}

}  // namespace tact::modelled
