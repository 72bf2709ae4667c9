// What the handlers of an engine that wait use in common.
#pragma once

#include "actors/cells/pinned_closures.hpp"
#include "actors/wait/wait_circles.hpp"
#include "fiber/stack_pool.hpp"

namespace tact::actors {

// Thread safety: any thread.
struct parking {
  fiber::stack_pool stacks;
  pinned_closures pins{};  // the behaviours of those of parallel actors
  actors::wait_circles circles{};
};

}  // namespace tact::actors
