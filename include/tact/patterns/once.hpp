// tact::once: a behaviour that passes one message on, and then ends.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include "tact/behavior.hpp"
#include "tact/forwarder.hpp"
#include "tact/ref.hpp"
#include "tact/self.hpp"

namespace tact {

// engine.create(tact::once<answer>(desk))
//
// Passes the first message on to `to`, without copying a large one, and ends with that. What comes later is a dead
// letter; a later request fails with target_ended. When several messages reach a tact::parallel one at the same time,
// one of them is passed on. Source: Lisp-Actors.
template <class M>
[[nodiscard]] behavior<M> once(ref<M> to) {
  return {[to](self<M>& self, const M& m) {
    detail::hand_over(self, to, m);
    self.stop();
  }};
}

}  // namespace tact

#include "tact/detail/end.hpp"  // last
