// Where the workers of an engine run.
#pragma once

#include <vector>

#include "tact/placement.hpp"
#include "topology/machine.hpp"

namespace tact::topology {

// Workers for an engine that does not say how many: one per usable processing unit, but no more than the cpu quota of
// this process keeps busy. At least 1. Read once.
[[nodiscard]] unsigned default_workers();

// Seats for so many workers on this machine.
[[nodiscard]] placement_plan plan(unsigned workers, bool pinned);
// The same, with those that more of them would have behind them, up to `most`.
[[nodiscard]] placement_plan plan(unsigned workers, unsigned most, bool pinned);
// On any machine. As many cores as can be before two workers share one, the first ones of the machine, so that a few
// workers share a cache; then numbered in the order of the machine, so that neighbours are near. More workers than
// units go round. REQUIRES: there is a unit.
[[nodiscard]] placement_plan plan(const std::vector<unit>& units, unsigned workers, bool pinned);
[[nodiscard]] placement_plan plan(const std::vector<unit>& units, unsigned workers, unsigned most, bool pinned);

}  // namespace tact::topology
