// tact::suspendable: a behaviour that passes messages on, and keeps them in their order while it is suspended.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include "tact/behavior.hpp"
#include "tact/forwarder.hpp"
#include "tact/patterns/stash.hpp"
#include "tact/protocol.hpp"
#include "tact/ref.hpp"
#include "tact/request.hpp"
#include "tact/self.hpp"

namespace tact {

// Stops what is behind a tact::suspendable: what comes from now on waits. The answer says that nothing passes any more;
// what passed before may still be on its way to the actor.
struct suspend_delivery {
  using reply = void;
};
// Lets what has waited go on, in its order, and then what comes. The answer says that it has left.
struct resume_delivery {
  using reply = void;
};

// The protocol of a tact::suspendable: P and its control messages. Both controls may be sent without a customer.
template <class P>
struct suspendable_protocol : protocol<P, request<suspend_delivery>, request<resume_delivery>> {};

namespace detail {

template <class P>
struct resumed_gate;

template <class Q>
void reply_if_asked(transaction& tx, const request<Q>& m) {
  if (m.customer) tx.reply(m);
}

template <class P>
struct suspended_gate {
  using self_type = self<suspendable_protocol<P>>;

  void operator()(self_type& self, const request<suspend_delivery>& m) const { reply_if_asked(self, m); }
  void operator()(self_type& self, const request<resume_delivery>& m) const {
    kept.give_back(self, to);
    self.become(resumed_gate<P>{to});
    reply_if_asked(self, m);
  }
  template <class M>
  void operator()(self_type& self, const M& m) const {
    self.become(suspended_gate{to, kept.put(self, m)});
  }

  ref<P> to;
  stash<P> kept{};
};

template <class P>
struct resumed_gate {
  using self_type = self<suspendable_protocol<P>>;

  void operator()(self_type& self, const request<suspend_delivery>& m) const {
    self.become(suspended_gate<P>{to});
    reply_if_asked(self, m);
  }
  void operator()(self_type& self, const request<resume_delivery>& m) const { reply_if_asked(self, m); }
  template <class M>
  void operator()(self_type& self, const M& m) const {
    hand_over(self, to, m);
  }

  ref<P> to;
};

}  // namespace detail

// const auto gate = engine.create(tact::suspendable<account>(teller));
// engine.ask(gate, tact::suspend_delivery{});  // the teller hears nothing more
// engine.send(gate, deposit{7});      // waits
// engine.ask(gate, tact::resume_delivery{});   // the deposit goes on
//
// Stands in front of `to` and passes each message of P on, without copying a large one. Between tact::suspend_delivery
// and tact::resume_delivery it keeps what comes, and then passes it on in the order in which it came, each message in
// its own context. A request that waits is answered by `to`, once. Suspending twice is the same as once, and so is
// resuming. When the gate ends while it is suspended, the requests that wait in it fail with target_ended, and other
// messages are destroyed. A resume that throws, for want of memory or because a message cannot be copied, has let
// nothing pass: the gate is still suspended, and the customer of the resume is told. One that is tact::parallel
// promises the same except for the order. Source: Lisp-Actors.
template <class P>
[[nodiscard]] behavior<suspendable_protocol<P>> suspendable(ref<P> to) {
  return detail::resumed_gate<P>{to};
}

// Names of earlier versions; they go with the next one.
template <class P>
using suspension [[deprecated("use tact::suspendable_protocol")]] = suspendable_protocol<P>;
using suspend [[deprecated("use tact::suspend_delivery")]] = suspend_delivery;
using resume [[deprecated("use tact::resume_delivery")]] = resume_delivery;

}  // namespace tact

#include "tact/detail/end.hpp"  // last
