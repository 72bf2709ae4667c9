// tact::forwarder: a behaviour that passes everything on.
#include "tact/detail/language.hpp"  // first
#pragma once

#include <type_traits>

#include "tact/behavior.hpp"

namespace tact {

// Passes each message of P on to `to`, without copying what is large. Customers of requests hear from the last one
// directly. Compose it: engine.create(tact::forwarder<deposit>(account)).
template <class P>
[[nodiscard]] behavior<P> forwarder(ref<P> to) {
  return {[to]<class M>(transaction& tx, const M& message) {
    if constexpr (std::is_trivially_copyable_v<M> && detail::fits_inline<M>) {
      tx.send(to, message);  // to move it is to copy it
    } else {
      tx.pass_on(to, message);
    }
  }};
}

}  // namespace tact
