// How a failure is passed on where that must not fail.
#pragma once

#include "tact/failure.hpp"

namespace tact::detail {

// A copy of the failure; without memory for its texts it has the reason only.
inline failure as_far_as_memory_goes(const failure& f) noexcept {
  try {
    return f;
  } catch (...) {
    return {f.reason, {}};
  }
}

}  // namespace tact::detail
