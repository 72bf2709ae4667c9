// tact::opening_gate: a behaviour that gathers the first burst of messages, and passes everything on after that.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <chrono>
#include <type_traits>

#include "tact/behavior.hpp"
#include "tact/data/queue.hpp"
#include "tact/detail/deadline.hpp"
#include "tact/detail/held_message.hpp"
#include "tact/failure.hpp"
#include "tact/forwarder.hpp"
#include "tact/patterns/detail/leaving.hpp"
#include "tact/patterns/detail/sure_run.hpp"
#include "tact/protocol.hpp"
#include "tact/ref.hpp"
#include "tact/self.hpp"

namespace tact {

namespace detail {

// The time for which the gate gathers is over.
struct gate_opens {};

}  // namespace detail

// The protocol of an opening gate. Programs send M; the rest is its own, and no limit holds for that.
template <class M>
struct opening_gate_protocol : protocol<M, detail::own_words<detail::gate_opens>, failure> {};

namespace detail {

template <class M>
struct open_gate {
  void operator()(self<opening_gate_protocol<M>>& self, const M& m) const { hand_over(self, to, m); }
  void operator()(self<opening_gate_protocol<M>>&, const gate_opens&) const {}
  void operator()(self<opening_gate_protocol<M>>&, const failure&) const {}

  ref<M> to;
};

template <class M>
struct shut_gate {
  using self_type = self<opening_gate_protocol<M>>;

  void operator()(self_type& self, const M& m) const {
    if (waiting.empty()) self.send_after(delay, self.ref(), gate_opens{});
    self.become(shut_gate{to, delay, waiting.push_back(hold_back(self, m))});
  }
  void operator()(self_type& self, const gate_opens&) const { open(self); }
  // The run that should have opened the gate has failed.
  void operator()(self_type& self, const failure&) const { open(self); }

  void open(self_type& self) const {
    const sure_run sure(self);
    leaving<M> all(self);
    for (const held<M>& m : waiting) all.send(m, to);
    all.commit();
    self.become(open_gate<M>{to});
  }

  ref<M> to;
  std::chrono::nanoseconds delay;
  queue<held<M>> waiting{};
};

}  // namespace detail

// const auto gate = engine.create(tact::opening_gate(display, 20ms));
//
// Holds everything back until `delay` after the first message, then passes it on to `to`, a ref of one message type, in
// the order in which it came; everything after that passes at once. So what comes in a burst at the beginning arrives
// together, is delayed once, and later traffic is not slowed down. Answers to requests go straight to the customers.
// When the gate ends before it opens, requests that wait in it fail with target_ended, and other messages are lost.
// Costs: two messages in the place of one, and one timer; for a request that waits two more messages to itself. With
// tact::parallel the order is not kept. Source: the rate-limited gate of Lisp-Actors.
template <class M, class Rep, class Period>
[[nodiscard]] behavior<opening_gate_protocol<M>> opening_gate(ref<M> to, std::chrono::duration<Rep, Period> delay) {
  static_assert(!detail::some_protocol<M>,
                "tact::opening_gate: it passes one type of message on: narrow the ref to it");
  static_assert(std::is_copy_constructible_v<M>,
                "tact::opening_gate: what waits is copied, so the message must be copyable");
  return detail::shut_gate<M>{to, std::chrono::nanoseconds(detail::whole_ns(delay))};
}

// Names of earlier versions; they go with the next one.
template <class M>
using gated [[deprecated("use tact::opening_gate_protocol")]] = opening_gate_protocol<M>;

}  // namespace tact

#include "tact/detail/end.hpp"  // last
