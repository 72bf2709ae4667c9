// tact::forwarder: a behaviour that passes every message on to another actor.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include "tact/behavior.hpp"
#include "tact/detail/forwarding.hpp"

namespace tact {

// Passes each message of P on to `to`, without copying large ones. The actor at the end of a chain of forwarders
// answers the customers of requests directly. Use it in create: engine.create(tact::forwarder<deposit>(account)). When
// `to` is the actor that passes on, which would come back for ever, the message fails with usage_error. Two actors that
// pass on to each other are not found.
template <class P>
[[nodiscard]] behavior<P> forwarder(ref<P> to) {
  return detail::forwarding(to);
}

}  // namespace tact

#include "tact/detail/end.hpp"  // last
