// What an engine holds beside its actors, for people.
#pragma once

#include "tact/structure.hpp"

namespace tact::actors {

class part_list;
class timers;

// Waits for the service of the timers, for a quarter of a second at most.
[[nodiscard]] structure read_structure(part_list& parts, timers& timed);

}  // namespace tact::actors
