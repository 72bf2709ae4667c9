// tact::serializer: a behaviour that lets one request at a time through to a service.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <chrono>
#include <exception>
#include <new>
#include <optional>
#include <type_traits>
#include <utility>

#include "tact/behavior.hpp"
#include "tact/context.hpp"
#include "tact/data/detail/queue_table.hpp"
#include "tact/detail/access.hpp"
#include "tact/detail/copied_failure.hpp"
#include "tact/detail/held_message.hpp"
#include "tact/failure.hpp"
#include "tact/protocol.hpp"
#include "tact/ref.hpp"
#include "tact/request.hpp"
#include "tact/transaction.hpp"

namespace tact {

namespace detail {

// Tells a serializer that a request which it had let through has ended. The serializer is itself the customer of this
// message: so when the run that should handle it fails, the engine tells the serializer.
struct turn_over {
  using reply = void;
};

}  // namespace detail

// The protocol of a serializer. Users send request<Q>; the rest is its own, and no limit holds for that.
template <class Q>
struct serializer_protocol : protocol<request<Q>, detail::own_words<request<detail::turn_over>>, failure> {};

namespace detail {

template <class Q>
struct turn {
  ref<serializer_protocol<Q>> gate;
  ref<typename request<Q>::reply> customer;
  held<request<Q>> waited{};  // null when its turn came at once

  template <class Message>
  void end(transaction& tx, Message&& m) const {
    if (waited) waited->gone = true;
    // If this run fails, the serializer is told, and tells the customer.
    owe(access::run_of(tx), access::port_of(gate));
    if constexpr (std::is_same_v<std::remove_cvref_t<Message>, failure>) {
      tx.fail(customer, as_far_as_memory_goes(m));
    } else {
      tx.send(customer, std::forward<Message>(m));
    }
    tx.send(gate, request<turn_over>{access::make_ref<done>(access::port_of(gate)), {}});
  }
};

// The service to which requests are let through, and for how long each of them may keep the others waiting.
template <class Q>
struct served_by {
  ref<request<Q>> service;
  std::optional<std::chrono::nanoseconds> limit{};
};

template <class Q>
void begin_turn(self<serializer_protocol<Q>>& self, const served_by<Q>& by, Q query, turn<Q> t) {
  using R = typename request<Q>::reply;
  const auto answered = [t](transaction& tx, R& answer) { t.end(tx, std::move(answer)); };
  const auto failed = [t](transaction& tx, const failure& f) { t.end(tx, f); };
  access::ask_regardless<transaction>(self, by.limit, by.service, std::move(query), answered, failed);
}

// The serializer's behaviour while no request is at the service.
template <class Q>
struct idle_gate {
  using self_type = self<serializer_protocol<Q>>;

  void operator()(self_type& self, const request<Q>& m) const;
  void operator()(self_type& self, const request<turn_over>& m) const { self.defer(m); }
  void operator()(self_type&, const failure&) const {}

  served_by<Q> by;
};

// The serializer's behaviour while a request of `customer` is at the service.
template <class Q>
struct busy_gate {
  using self_type = self<serializer_protocol<Q>>;

  void operator()(self_type& self, const request<Q>& m) const {
    self.become(busy_gate{by, customer, waiting.push_back(hold_back(self, m, "serializer"))});
  }
  void operator()(self_type& self, const request<turn_over>& m) const {
    const unfailing sure;
    self.defer(m);
    let_next(self);
  }
  void operator()(self_type& self, const failure& f) const {
    const unfailing sure;
    self.fail(customer, as_far_as_memory_goes(f));
    let_next(self);
  }
  // Lets the first request through whose query can be copied. The callers hold an `unfailing`, because the end of a
  // turn, or its failure, is told only once: if this run failed for want of memory, all requests that wait would wait
  // for ever.
  void let_next(self_type& self) const {
    for (auto left = waiting; !left.empty();) {
      const auto first = left.front();
      left = std::move(left).pop_front();
      std::optional<Q> query;
      try {
        query.emplace(first->message.body);
      } catch (const std::exception& e) {
        refuse(self, *first, e.what());
        continue;
      } catch (...) {
        refuse(self, *first, "an exception that is no std::exception");
        continue;
      }
      try {
        with_context(first->in, [&] {
          begin_turn<Q>(self, by, std::move(*query), {self.ref(), first->message.customer, first});
        });
      } catch (const std::exception& e) {
        refuse(self, *first, e.what());  // a new actor, or a timer, needs more than the reserve has
        continue;
      }
      return self.become(busy_gate{by, first->message.customer, std::move(left)});
    }
    self.become(idle_gate<Q>{by});
  }
  static void refuse(self_type& self, held_message<request<Q>>& w, const char* what) {
    failure why{failure_reason::handler_threw, {}, {}};
    try {
      why.what = what;
    } catch (const std::bad_alloc&) {
      // Without memory for its text the failure has the reason only.
    }
    self.fail(w.message.customer, std::move(why));
    w.gone = true;
  }

  served_by<Q> by;
  ref<typename request<Q>::reply> customer;
  waiting_row<held<request<Q>>> waiting{};
};

template <class Q>
void idle_gate<Q>::operator()(self_type& self, const request<Q>& m) const {
  begin_turn<Q>(self, by, m.body, {self.ref(), m.customer});
  self.become(busy_gate<Q>{by, m.customer});
  self.defer(m);
}

}  // namespace detail

// engine.create(tact::serializer<withdraw>(account))
//
// Lets requests through to `service` one at a time, those of each sender in the order sent; a serializer that was
// created tact::parallel promises the same, except for this order. The answer goes to the right customer, in the
// context of its request; a second answer to the same request is a dead letter. A request that fails fails its customer
// with the same reason, and the next one has its turn. When the serializer ends, the requests that wait in it fail; the
// one at the service is still answered. A service that defers a request and forgets it keeps all others waiting, unless
// there is a limit. The service need not be an actor of its own: any ref that narrows to ref<request<Q>> will do.
// Source: Lisp-Actors.
template <class Q>
[[nodiscard]] behavior<serializer_protocol<Q>> serializer(ref<request<Q>> service) {
  static_assert(std::is_copy_constructible_v<Q>,
                "tact::serializer<Q>: a query that waits is copied to the service, so Q must be copyable");
  if constexpr (std::is_copy_constructible_v<Q>) {
    return detail::idle_gate<Q>{{service}};
  } else {
    return {};
  }
}
// As serializer(service), but a request that was not answered within `limit`, counted from the beginning of its turn,
// fails with timed_out. Then the next one has its turn, although the service may still work on the first. A limit
// beyond what nanoseconds can say is none.
template <class Q, class Rep, class Period>
[[nodiscard]] behavior<serializer_protocol<Q>> serializer(ref<request<Q>> service,
                                                          std::chrono::duration<Rep, Period> limit) {
  static_assert(std::is_copy_constructible_v<Q>,
                "tact::serializer<Q>: a query that waits is copied to the service, so Q must be copyable");
  if constexpr (std::is_copy_constructible_v<Q>) {
    return detail::idle_gate<Q>{{service, std::chrono::nanoseconds(detail::whole_ns(limit))}};
  } else {
    return {};
  }
}

// Names of earlier versions; they go with the next one.
template <class Q>
using serialized [[deprecated("use tact::serializer_protocol")]] = serializer_protocol<Q>;

}  // namespace tact

#include "tact/detail/end.hpp"  // last
