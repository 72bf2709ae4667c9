// tact::adapter and tact::adapt: a ref for messages of another protocol, which come to an actor as messages of its own.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <type_traits>
#include <utility>

#include "tact/behavior.hpp"
#include "tact/detail/copied_failure.hpp"
#include "tact/detail/message_type.hpp"
#include "tact/detail/type_name.hpp"
#include "tact/failure.hpp"
#include "tact/failure_rule.hpp"
#include "tact/patterns/detail/sure_run.hpp"
#include "tact/protocol.hpp"
#include "tact/ref.hpp"
#include "tact/request.hpp"
#include "tact/self.hpp"
#include "tact/transaction.hpp"

namespace tact {

namespace detail {

struct adapted_has_ended {};

template <class P>
struct adapting : protocol<P, own_words<adapted_has_ended>> {};

// Translates each message of P, and sends what comes of it to `to`.
template <class P, class To, class F>
struct translation {
  template <class M>
    requires accepts<P, M>
  void operator()(transaction& tx, const M& m) const {
    static_assert(!has_customer<M>,
                  "tact::adapter, adapt: a request needs a function for its answer, too: tact::service_adapter");
    static_assert(std::is_invocable_v<const F&, const M&>,
                  "tact::adapter, adapt: the function takes each message of the protocol, as const M&, and is const");
    tx.send(to, f(m));
  }

  ref<To> to;
  F f;
};

// An adapter goes on when a message could not be translated; but it ends when its end failed.
inline failure_rule rule_of_adapters() {
  return {[](const failure_report& r) {
    return r.message == type_name<adapted_has_ended> ? failure_policy::end : failure_policy::go_on;
  }};
}

}  // namespace detail

// const tact::ref<celsius> in = engine.create(tact::adapter<celsius>(desk, [](const celsius& m) {
//   return reading{m.degrees + 273.15};
// }));
//
// A relay that sends f(m) to `to` for each message m of P, in the context of m. So an actor is told by others that know
// nothing of its protocol. P is a message, or a protocol of plain messages for all of which f has an overload; f is
// called as const, and what it returns is a message of `to`. When it throws, that is a failure of the relay, and the
// message is not passed on. The order of each sender is kept, unless it is made with tact::parallel. Costs: a message
// more for each. Source: the message adapters of Akka.
template <class P, class To, class F>
[[nodiscard]] behavior<P> adapter(ref<To> to, F f) {
  return detail::translation<P, To, F>{to, std::move(f)};
}

// self.send(thermometer, subscribe{tact::adapt<celsius>(self, [](const celsius& m) { return reading{...}; })});
//
// Makes such a relay for the actor that runs, and returns its ref. It ends when the actor does, and so do its messages:
// what comes later is a dead letter. It goes on when f has thrown, whatever the options of the engine say. Throws
// std::bad_alloc, and what moving f throws.
template <class P, class Own, class F>
[[nodiscard]] ref<P> adapt(self<Own>& self, F f) {
  using self_of_relay = tact::self<detail::adapting<P>>;
  const auto relay = self.create(
      behavior<detail::adapting<P>>{
          [](self_of_relay& own, const detail::adapted_has_ended&) { own.stop(); },
          detail::translation<P, Own, F>{self.ref(), std::move(f)},
      },
      detail::rule_of_adapters());
  static_cast<transaction&>(self).monitor(self.ref(), relay, detail::adapted_has_ended{});
  return relay;
}

// const auto fahrenheit = engine.create(tact::service_adapter<in_fahrenheit>(
//     thermometer, [](const in_fahrenheit& q) { return in_celsius{q.place}; },
//     [](double celsius) { return celsius * 1.8 + 32; }), tact::parallel);
//
// A service that answers request<Q> by another one: it asks `to` query(q), and answers with answer(r), where r is the
// reply of that. When the request fails so does this one, with the same reason; when one of the functions throws it
// fails with handler_threw. Functions are called as const, by several threads at once where the service is
// tact::parallel. Costs: two messages, and a beta, for each request. Source of the idea: racurry of Lisp-Actors.
template <class Q, class Asked, class Query, class Answer>
[[nodiscard]] behavior<request<Q>> service_adapter(ref<request<Asked>> to, Query query, Answer answer) {
  static_assert(std::is_invocable_r_v<Asked, const Query&, const Q&>,
                "tact::service_adapter: query(const Q&) returns the query of the service behind");
  using R = typename request<Asked>::reply;
  static_assert(std::is_invocable_r_v<typename request<Q>::reply, const Answer&, R&>,
                "tact::service_adapter: answer(reply) returns the reply of Q");
  return {[to, query = std::move(query), answer = std::move(answer)](transaction& tx, const request<Q>& m) {
    const ref<typename request<Q>::reply> customer = m.customer;
    tx.ask(
        to, query(m.body),
        [customer, answer](transaction& later, R& r) {
          detail::tell_if_it_fails(later, customer);
          later.send(customer, answer(r));
        },
        [customer](transaction& later, const failure& f) {
          detail::tell_if_it_fails(later, customer);
          later.fail(customer, detail::as_far_as_memory_goes(f));
        });
    tx.defer(m);
  }};
}

}  // namespace tact

#include "tact/detail/end.hpp"  // last
