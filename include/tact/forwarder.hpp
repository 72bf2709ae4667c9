// tact::forwarder: a behaviour that passes everything on.
#include "tact/detail/language.hpp"  // first
#pragma once

#include <type_traits>

#include "tact/behavior.hpp"
#include "tact/failure.hpp"

namespace tact {

// Passes each message of P on to `to`, without copying what is large. Customers of requests hear from the last one
// directly. Compose it: engine.create(tact::forwarder<deposit>(account)). A message fails with usage_error when `to` is
// the actor that passes it on: it would come back for ever. Two that pass on to each other are not seen.
template <class P>
[[nodiscard]] behavior<P> forwarder(ref<P> to) {
  return {[to]<class M>(transaction& tx, const M& message) {
    if (detail::same_actor(detail::access::port_of(to), detail::self_port(detail::access::run_of(tx)))) {
      throw usage_error("tact::forwarder: the ref is the actor's own, and what is passed on would come back for ever");
    }
    if constexpr (std::is_trivially_copyable_v<M> && detail::fits_inline<M>) {
      tx.send(to, message);  // to move it is to copy it
    } else {
      tx.pass_on(to, message);
    }
  }};
}

}  // namespace tact
