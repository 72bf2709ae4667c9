// tact::sink: a behaviour that ignores everything.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include "tact/behavior.hpp"

namespace tact {

// Takes each message of P and does nothing; a request to it fails as unanswered. An actor with it never ends by itself.
template <class P>
[[nodiscard]] behavior<P> sink() {
  return {[](transaction&, const auto&) {}};
}

}  // namespace tact

#include "tact/detail/end.hpp"  // last
