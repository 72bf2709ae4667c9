// tact::forwarder: a behaviour that passes every message on to another actor.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <type_traits>

#include "tact/behavior.hpp"
#include "tact/failure.hpp"

namespace tact {

namespace detail {

// Passes on the message that is handled, in the way that costs least.
template <class P, class M>
void hand_over(transaction& tx, ref<P> to, const M& message) {
  if constexpr (std::is_trivially_copyable_v<M> && fits_inline<M>) {
    tx.send(to, message);  // a move of such a message is a copy anyway
  } else {
    tx.pass_on(to, message);
  }
}

}  // namespace detail

// Passes each message of P on to `to`, without copying large ones. The actor at the end of a chain of forwarders
// answers the customers of requests directly. Use it in create: engine.create(tact::forwarder<deposit>(account)). When
// `to` is the actor that passes on, which would come back for ever, the message fails with usage_error. Two actors that
// pass on to each other are not found.
template <class P>
[[nodiscard]] behavior<P> forwarder(ref<P> to) {
  return {[to]<class M>(transaction& tx, const M& message) {
    if (detail::same_actor(detail::access::port_of(to), detail::self_port(detail::access::run_of(tx)))) {
      throw usage_error("tact::forwarder: the ref is the actor's own, and what is passed on would come back for ever");
    }
    detail::hand_over(tx, to, message);
  }};
}

}  // namespace tact

#include "tact/detail/end.hpp"  // last
