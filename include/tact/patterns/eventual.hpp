// tact::eventual: a value that comes later, as an actor.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <type_traits>
#include <utility>

#include "tact/behavior.hpp"
#include "tact/creator.hpp"
#include "tact/detail/copied_failure.hpp"
#include "tact/failure.hpp"
#include "tact/patterns/detail/kept_value.hpp"
#include "tact/patterns/detail/sure_run.hpp"
#include "tact/patterns/detail/waiting_room.hpp"
#include "tact/patterns/value_of.hpp"
#include "tact/protocol.hpp"
#include "tact/ref.hpp"
#include "tact/request.hpp"
#include "tact/self.hpp"

namespace tact {

// The protocol of an eventual, and of a lazy: a T, or a failure, is the answer that settles it, so it may be the
// customer of every request whose reply is T. An actor or a thread that wants the value sends request<value_of<T>>. No
// limit of its mailbox holds for the answer, because without it the requests that wait would wait for ever.
template <class T>
struct eventual_protocol : protocol<detail::own_words<T>, failure, request<value_of<T>>> {};

namespace detail {

// The behaviour of an eventual that has its value. What comes later is a dead letter.
template <class T>
struct known_value {
  using self_type = self<eventual_protocol<T>>;

  void operator()(self_type& self, const request<value_of<T>>& m) const { self.reply(m, value->value); }
  void operator()(self_type& self, const T& m) const { self.pass_on(ref<T>(), m); }
  void operator()(self_type& self, const failure& f) const { self.pass_on(ref<failure>(), f); }

  kept<T> value;
};

// The behaviour of an eventual whose answer was a failure.
template <class T>
struct known_failure {
  using self_type = self<eventual_protocol<T>>;

  void operator()(self_type& self, const request<value_of<T>>& m) const { self.fail(m, why->value); }
  void operator()(self_type& self, const T& m) const { self.pass_on(ref<T>(), m); }
  void operator()(self_type& self, const failure& f) const { self.pass_on(ref<failure>(), f); }

  kept<failure> why;
};

// The behaviour of an eventual before its answer. When the run that is told the answer fails, the engine tells the
// eventual, which then has that failure in the place of a value.
template <class T>
struct awaiting_value {
  using self_type = self<eventual_protocol<T>>;

  void operator()(self_type& self, const request<value_of<T>>& m) const {
    self.become(awaiting_value{waiting.with(self, m, "eventual")});
  }
  void operator()(self_type& self, const T& m) const {
    const sure_run sure(self);
    self.become(known_value<T>{keep(m)});
    waiting.answer(self, m);
  }
  void operator()(self_type& self, const failure& f) const {
    const sure_run sure(self);
    self.become(known_failure<T>{keep(as_far_as_memory_goes(f))});
    waiting.fail(self, f);
  }

  waiting_room<value_of<T>> waiting{};
};

template <class T>
consteval void check_deferred() {
  static_assert(std::is_object_v<T> && !std::is_same_v<T, failure>,
                "tact::eventual<T>: T is the type of an answer; that of a query whose reply is void is tact::done");
  static_assert(std::is_copy_constructible_v<T>,
                "tact::eventual<T>: each asker gets a copy of the value, so T must be copyable");
}

// How ask_eventually returns what it has made: a ref only for requests, or, with tact::owned, an owner.
template <class T, class Made>
struct eventual_result : std::type_identity<ref<request<value_of<T>>>> {};
template <class T>
struct eventual_result<T, owner<eventual_protocol<T>>> : std::type_identity<owner<eventual_protocol<T>>> {};

template <class T>
ref<T> customer_in(ref<eventual_protocol<T>> e) {
  return e;
}
template <class T>
ref<T> customer_in(const owner<eventual_protocol<T>>& e) {
  return e.ref();
}

}  // namespace detail

// const auto sum = engine.create(tact::eventual<long>());
// engine.send(account, tact::request<balance>{sum, {}});            // sum is the customer
// engine.ask(printer, print{.cents = sum});                         // and may be sent on before there is a sum
//
// A value that comes later: a T, or a tact::failure, which is kept like a value. A request that comes before the value
// waits in the eventual. All that wait are told in the order in which they came, each in its own context. The first
// answer counts. A later one is a dead letter, as it is for every customer that hears one answer, so that a service
// that answers twice is seen. When the run that takes the value fails, because copying it throws, the answer is that
// failure (handler_threw). When the eventual ends, the requests that wait fail (target_ended). It lives until then, as
// other actors do; a program that makes many lets them end, with tact::owned or a tact::scope. A request that waits
// costs one message more, which notes at the commit that it waits; and one message notes that all have been told.
// Thread safety: any placement; one that is tact::parallel tells the requests that wait in no promised order. Source:
// Lisp-Actors (future); the idea: the futures of Baker and Hewitt.
template <class T>
[[nodiscard]] behavior<eventual_protocol<T>> eventual() {
  detail::check_deferred<T>();
  return detail::awaiting_value<T>{};
}

// const auto sum = tact::ask_eventually(self, account, balance{});  // or an engine in the place of self
//
// Makes an eventual, and sends `service` a request whose customer it is. In a handler both are staged; outside the
// request has left on return. Tags are those of create, for the eventual; with tact::owned the result is an
// owner<eventual_protocol<R>>, and otherwise a ref<request<value_of<R>>>. Throws what create and send throw. Outside of
// handlers, when the send throws, the eventual is left behind until its owner's or the engine's end.
template <class Creator, class P, class Q, detail::creation_tag... Tags>
[[nodiscard]] auto ask_eventually(Creator& by, ref<P> service, Q query, Tags... tags) {
  static_assert(detail::query<Q>, "tact::ask_eventually: a query names the type of its answer: using reply = ...;");
  static_assert(detail::sendable<P, request<Q>>, "tact::ask_eventually: the service does not take request<Q>");
  using R = typename request<Q>::reply;
  auto made = by.create(eventual<R>(), tags...);
  by.send(service, request<Q>{detail::customer_in<R>(made), std::move(query)});
  return typename detail::eventual_result<R, decltype(made)>::type(std::move(made));
}

// Names of earlier versions; they go with the next one.
template <class T>
using deferred_value [[deprecated("use tact::eventual_protocol")]] = eventual_protocol<T>;

}  // namespace tact

#include "tact/detail/end.hpp"  // last
