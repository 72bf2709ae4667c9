// tact::observable: a value whose changes are told to its subscribers.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <concepts>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "tact/behavior.hpp"
#include "tact/ended.hpp"
#include "tact/failure.hpp"
#include "tact/patterns/detail/kept_value.hpp"
#include "tact/patterns/detail/member_list.hpp"
#include "tact/patterns/detail/sure_run.hpp"
#include "tact/patterns/subscriber.hpp"
#include "tact/patterns/value_of.hpp"
#include "tact/protocol.hpp"
#include "tact/ref.hpp"
#include "tact/request.hpp"
#include "tact/self.hpp"

namespace tact {

// Sets an observable.
template <class T>
struct set_value {
  T value;
};

// What a compare_and_set did.
template <class T>
struct compared {
  bool was_set = false;
  T value;  // that the observable has since: the desired one, or the one that was not expected
};

// Sets an observable if its value equals the expected one.
template <class T>
struct compare_and_set {
  using reply = compared<T>;
  T expected;
  T desired;
};

// Subscribes an actor that takes value_changed<T> or, if it does not take that, T.
template <class T>
struct subscribe_observable {
  subscriber<T> who;
};
// Unsubscribes an actor: when this has been handled, no further change is sent to it. What was sent before may still be
// on its way.
template <class T>
struct unsubscribe_observable {
  subscriber<T> who;
};

// The protocol of an observable. The last two are its own, and no limit holds for that.
template <class T>
struct observable_protocol
    : protocol<set_value<T>, request<compare_and_set<T>>, request<value_of<T>>, subscribe_observable<T>,
               unsubscribe_observable<T>, detail::own_words<ended>, failure> {};

namespace detail {

template <class T>
struct observed_value {
  using self_type = self<observable_protocol<T>>;

  void operator()(self_type& self, const set_value<T>& m) const {
    if (!(m.value == value->value)) set(self, m.value);
  }
  void operator()(self_type& self, const request<compare_and_set<T>>& m) const {
    if (!(m.body.expected == value->value)) return self.reply(m, {false, value->value});
    if (!(m.body.desired == value->value)) set(self, m.body.desired);
    self.reply(m, {true, m.body.desired});
  }
  void operator()(self_type& self, const request<value_of<T>>& m) const { self.reply(m, value->value); }
  void operator()(self_type& self, const subscribe_observable<T>& m) const {
    if (!all.has(m.who)) {
      self.become(observed_value{value, all.with(next_number, m.who, m.who.watch(self)), next_number + 1});
    }
    m.who.tell(self, value->value);
  }
  void operator()(self_type& self, const unsubscribe_observable<T>& m) const {
    if (const std::uint64_t number = all.number_of(m.who)) {
      self.become(observed_value{value, all.leave(number), next_number});
    }
  }
  void operator()(self_type& self, const ended& m) const {
    const sure_run sure(self);
    auto rest = all;
    while (const std::uint64_t number = rest.number_of_actor(m.address)) rest = rest.erase(number);
    self.become(observed_value{value, std::move(rest), next_number});
  }
  // A run that should have handled the end of a subscriber has failed, and an end is told only once. So all are watched
  // again, because a new monitor of an actor that has ended tells that at once.
  void operator()(self_type& self, const failure&) const {
    const sure_run sure(self);
    auto again = all.watch_again([&](std::uint64_t, const subscriber<T>& who) { return who.watch(self); });
    self.become(observed_value{value, std::move(again), next_number});
  }

  void set(self_type& self, const T& to) const {
    self.become(observed_value{keep(to), all, next_number});
    all.for_each([&](const subscriber<T>& who) { who.tell(self, to); });
  }

  kept<T> value;
  member_list<subscriber<T>> all{};
  std::uint64_t next_number = 1;
};

}  // namespace detail

// const auto level = engine.create(tact::observable(20));
// engine.send(level, tact::subscribe_observable<int>{gauge});                    // gauge takes an int: it hears 20,
// and then 21 engine.send(level, tact::set_value<int>{21}); engine.ask(level, tact::compare_and_set<int>{21, 22}); //
// {true, 22} engine.ask(level, tact::value_of<int>{});                           // 22
//
// A value that actors watch. A subscriber is told the value of that moment, and then each change, once and in the
// order of the changes. Setting a value that is equal to the present one tells no subscriber. One that subscribes twice
// is told the value twice and each change once. An actor that ends leaves by itself, because the observable monitors it
// until it leaves. A run that fails has changed nothing and told no subscriber.
// When T cannot be copied for one of the subscribers the change does not happen; the sender of a compare_and_set is
// told. A change costs one message for each subscriber; to subscribe and to leave take the logarithm of their number.
// Thread safety: any placement; one that is tact::parallel tells changes in no promised order. Source: Lisp-Actors
// (reactive-obj).
template <class T>
[[nodiscard]] behavior<observable_protocol<T>> observable(T initial) {
  static_assert(std::equality_comparable<T>,
                "tact::observable<T>: setting an equal value tells nobody, so T must be comparable by ==");
  static_assert(std::is_copy_constructible_v<T>,
                "tact::observable<T>: every subscriber gets a copy of the value, so T must be copyable");
  return detail::observed_value<T>{detail::kept<T>::make(std::move(initial))};
}

// Names of earlier versions; they go with the next one.
template <class T>
using observed [[deprecated("use tact::observable_protocol")]] = observable_protocol<T>;
template <class T>
using subscribe [[deprecated("use tact::subscribe_observable")]] = subscribe_observable<T>;
template <class T>
using unsubscribe [[deprecated("use tact::unsubscribe_observable")]] = unsubscribe_observable<T>;

}  // namespace tact

#include "tact/detail/end.hpp"  // last
