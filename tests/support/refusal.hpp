// What a call says when it is refused.
#pragma once

#include <string>

#include "tact/failure.hpp"

namespace tact::support {

template <class F>
std::string refusal(F f) {
  try {
    f();
    return "accepted";
  } catch (const usage_error& e) {
    return e.what();
  }
}

}  // namespace tact::support
