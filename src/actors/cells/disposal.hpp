// Where behaviours and cells go that no actor has any more, when no other worker sees them.
#pragma once

#include "actors/cells/cell_store.hpp"
#include "actors/cells/pinned_closures.hpp"

namespace tact::actors {

// Both live as long as the engine. Thread safety: any thread.
struct disposal {
  pinned_closures& pins;  // a handler that waits may still need a behaviour
  cell_store& cells;
};

}  // namespace tact::actors
