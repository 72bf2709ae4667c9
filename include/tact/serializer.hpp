// tact::serializer: a behaviour that lets one request at a time through to a service.
#pragma once

#include <exception>
#include <string>
#include <type_traits>
#include <utility>

#include "tact/behavior.hpp"
#include "tact/detail/access.hpp"
#include "tact/detail/persistent_queue.hpp"
#include "tact/detail/waiting_request.hpp"
#include "tact/failure.hpp"
#include "tact/protocol.hpp"
#include "tact/ref.hpp"
#include "tact/request.hpp"
#include "tact/transaction.hpp"

namespace tact {

namespace detail {

// What a serializer hears when a request has ended that it had let through. It is its own customer: when a run fails in
// which it should hear of that, the engine tells it so.
struct turn_over {
  using reply = void;
};

}  // namespace detail

// The protocol of a serializer. Users send request<Q>; the rest is its own.
template <class Q>
struct serialized : protocol<request<Q>, request<detail::turn_over>, failure> {};

namespace detail {

// A turn: brings what comes of a request to its customer, and ends the turn.
template <class Q>
struct turn {
  ref<serialized<Q>> gate;
  ref<typename request<Q>::reply> customer;
  counted<waiting_request<Q>> waited{};  // null: its turn came at once

  template <class Message>
  void end(transaction& tx, Message&& m) const {
    if (waited) waited->served = true;
    // If this run fails the serializer hears of it, and tells the customer.
    owe(access::run_of(tx), access::port_of(gate));
    if constexpr (std::is_same_v<std::remove_cvref_t<Message>, failure>) {
      tx.fail(customer, m);
    } else {
      tx.send(customer, std::forward<Message>(m));
    }
    tx.send(gate, request<turn_over>{access::make_ref<done>(access::port_of(gate)), {}});
  }
};

template <class Q>
void begin_turn(self<serialized<Q>>& self, ref<request<Q>> service, Q query, turn<Q> t) {
  using R = typename request<Q>::reply;
  self.ask(
      service, std::move(query), [t](transaction& tx, R& answer) { t.end(tx, std::move(answer)); },
      [t](transaction& tx, const failure& f) { t.end(tx, f); });
}

template <class Q>
behavior<serialized<Q>> open_serializer(ref<request<Q>> service);

// While a request of `customer` is at the service.
template <class Q>
behavior<serialized<Q>> busy_serializer(ref<request<Q>> service, ref<typename request<Q>::reply> customer,
                                        persistent_queue<counted<waiting_request<Q>>> waiting) {
  using self_type = self<serialized<Q>>;
  // The next request whose query can be copied.
  const auto next = [service, waiting](self_type& self) {
    for (auto left = waiting; !left.empty();) {
      const auto first = left.front();
      left = left.pop();
      const auto who = first->asked.customer;
      try {
        begin_turn<Q>(self, service, first->asked.body, {self.ref(), who, first});
        return self.become(busy_serializer<Q>(service, who, left));
      } catch (const std::exception& e) {
        self.fail(who, failure{failure_reason::handler_threw, e.what()});
        first->served = true;
      }
    }
    self.become(open_serializer<Q>(service));
  };
  return {
      [=](self_type& self, const request<Q>& m) {
        const auto last = counted<waiting_request<Q>>::make(m);
        self.become(busy_serializer<Q>(service, customer, waiting.push(last)));
        self.defer(m);
        self.on_commit([last] { last->accepted = true; });
      },
      [=](self_type& self, const request<turn_over>& m) {
        self.defer(m);
        next(self);
      },
      [=](self_type& self, const failure& f) {
        self.fail(customer, f);
        next(self);
      },
  };
}

// While nobody waits.
template <class Q>
behavior<serialized<Q>> open_serializer(ref<request<Q>> service) {
  using self_type = self<serialized<Q>>;
  return {
      [=](self_type& self, const request<Q>& m) {
        begin_turn<Q>(self, service, m.body, {self.ref(), m.customer});
        self.become(busy_serializer<Q>(service, m.customer, {}));
        self.defer(m);
      },
      [](self_type& self, const request<turn_over>& m) { self.defer(m); },
      [](self_type&, const failure&) {},
  };
}

}  // namespace detail

// engine.create(tact::serializer<withdraw>(account), tact::ordered)
//
// Lets requests through to `service` one at a time, in the order in which they were handled here: of each sender in the
// order sent if it is ordered; a parallel one promises as much, but for the order. The answer goes to the right
// customer; a second one to the same request is a dead letter. A request that fails fails its customer with the same
// reason, and the next one has its turn. Requests that wait when the serializer ends fail; the one at the service is
// answered. A service that defers a request and forgets it keeps all others waiting.
// A service need not be an actor of its own: give it whatever narrows to ref<request<Q>>. Source: Lisp-Actors.
template <class Q>
[[nodiscard]] behavior<serialized<Q>> serializer(ref<request<Q>> service) {
  static_assert(std::is_copy_constructible_v<Q>,
                "tact::serializer<Q>: a query that waits is copied to the service, so Q must be copyable");
  return detail::open_serializer<Q>(service);
}

}  // namespace tact
