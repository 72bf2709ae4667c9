// When an engine that decides it itself keeps its workers on the processing units of their seats: decision 0037.
#pragma once

#include <optional>
#include <vector>

#include "topology/machine.hpp"

namespace tact::topology {

// Where an engine is made.
struct surroundings {
  std::vector<unit> units{};         // that the process may use
  std::optional<double> quota{};     // of processor time, in processing units
  bool thread_runs_anywhere = true;  // the thread that makes the engine may run on all of these units
};

// Are some cores nearer to each other than others? Where all are equally far from each other it does not matter to
// which of them the system moves a thread.
[[nodiscard]] bool has_neighbourhoods(const std::vector<unit>& units);

// True: so many workers gain when they stay on their seats, and nothing that a process can know says that another one
// wants these processing units too. Whatever is in doubt makes it false.
[[nodiscard]] bool pays_to_pin(unsigned workers, const surroundings& here);
// Does it pay to pin on this machine, for an engine that the calling thread makes now?
[[nodiscard]] bool pays_to_pin(unsigned workers);

}  // namespace tact::topology
