// tact::forwarder: a behaviour that passes everything on.
#pragma once

#include "tact/behavior.hpp"

namespace tact {

// Sends each message of P on to `to`. Customers of requests hear from the last one directly. The messages must be
// copyable. Compose it: engine.create(tact::forwarder<deposit>(account)).
template <class P>
[[nodiscard]] behavior<P> forwarder(ref<P> to) {
  return {[to](transaction& tx, const auto& message) { tx.send(to, message); }};
}

}  // namespace tact
