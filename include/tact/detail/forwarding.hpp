// The behaviour that passes every message on: what tact::forwarder makes, and what self.become(ref) becomes.
#pragma once

#include <type_traits>

#include "tact/failure.hpp"
#include "tact/self.hpp"

namespace tact::detail {

// Passes on the message that is handled, in the way that costs least.
template <class P, class M>
void hand_over(transaction& tx, ref<P> to, const M& message) {
  if constexpr (std::is_trivially_copyable_v<M> && fits_inline<M>) {
    tx.send(to, message);  // a move of such a message is a copy anyway
  } else {
    tx.pass_on(to, message);
  }
}

// As tact::forwarder. behavior<P> is complete where it is called: tact/behavior.hpp includes this header.
template <class P>
behavior<P> forwarding(ref<P> to) {
  return {[to]<class M>(transaction& tx, const M& message) {
    if (same_actor(access::port_of(to), self_port(access::run_of(tx)))) {
      throw usage_error("tact::forwarder: the ref is the actor's own, and what is passed on would come back for ever");
    }
    hand_over(tx, to, message);
  }};
}

}  // namespace tact::detail
