// Where the workers of an engine run.
#pragma once

#include <vector>

#include "tact/placement.hpp"
#include "topology/machine.hpp"

namespace tact::topology {

// How many workers an engine gets whose options do not say it: one for each usable processing unit, but no more than
// the cpu quota of this process keeps busy. At least 1. Read once.
[[nodiscard]] unsigned default_workers();

// Seats for so many workers on this machine. A plan begins with workers that are not pinned.
[[nodiscard]] placement_plan plan(unsigned workers);
// Seats for so many workers on this machine, followed by the further seats that workers would get if there were `most`
// of them.
[[nodiscard]] placement_plan plan(unsigned workers, unsigned most);
// Seats on any machine. Workers share a core only when there are more workers than cores. They get the first cores of
// the machine, so that a few workers share a cache, and are numbered in the order of the machine, so that neighbours
// are near each other. When there are more workers than units, the seats are given out again from the first one on.
// REQUIRES: there is a unit.
[[nodiscard]] placement_plan plan(const std::vector<unit>& units, unsigned workers);
[[nodiscard]] placement_plan plan(const std::vector<unit>& units, unsigned workers, unsigned most);

}  // namespace tact::topology
