// tact::topic: publish and subscribe, typed.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <cstdint>
#include <memory>
#include <type_traits>

#include "tact/behavior.hpp"
#include "tact/failure.hpp"
#include "tact/patterns/detail/listed_topic.hpp"
#include "tact/patterns/detail/member_list.hpp"
#include "tact/patterns/detail/sure_run.hpp"
#include "tact/protocol.hpp"
#include "tact/ref.hpp"
#include "tact/request.hpp"
#include "tact/self.hpp"

namespace tact {

// Asks a topic to send each M to `who` from now on. The answer comes when it will. An actor that subscribes again stays
// a subscriber, and hears everything once.
template <class M>
struct subscribe_topic {
  using reply = void;
  ref<M> who{};
};
// Asks a topic to send nothing more to `who`: what is published after the answer does not come.
template <class M>
struct unsubscribe_topic {
  using reply = void;
  ref<M> who{};
};

// The protocol of a topic. Programs send the first three: an M is published by sending it. No limit holds for word of
// the end of a subscriber.
template <class M>
struct topic_protocol : protocol<M, request<subscribe_topic<M>>, request<unsubscribe_topic<M>>,
                                 detail::own_words<detail::member_ended>, failure> {};

namespace detail {

template <class M>
struct topic_of {
  using self_type = self<topic_protocol<M>>;

  void operator()(self_type& self, const M& m) const {
    subscribers.for_each([&](ref<M> r) { self.send(r, m); });
  }
  void operator()(self_type& self, const request<subscribe_topic<M>>& m) const {
    if (!m.body.who) throw usage_error("tact::subscribe_topic: the ref is that of no actor");
    if (!subscribers.has(m.body.who)) {
      change(self, with_watched(subscribers, self, next_number, m.body.who), next_number + 1);
    }
    self.reply(m);
  }
  void operator()(self_type& self, const request<unsubscribe_topic<M>>& m) const {
    if (const std::uint64_t number = subscribers.number_of(m.body.who)) {
      change(self, subscribers.leave(number), next_number);
    }
    self.reply(m);
  }
  void operator()(self_type& self, const member_ended& m) const {
    const sure_run sure(self);
    if (subscribers.find(m.number) != nullptr) change(self, subscribers.erase(m.number), next_number);
  }
  // A run that should have handled a member_ended has failed, so all subscribers are watched again.
  void operator()(self_type& self, const failure&) const {
    const sure_run sure(self);
    change(self, watched_again(subscribers, self), next_number);
  }
  void change(self_type& self, member_list<ref<M>> all, std::uint64_t number) const {
    auto shown = listed != nullptr ? listed : std::make_shared<listed_topic>(access::run_of(self), type_name<M>);
    const std::uint64_t count = all.size();
    self.become(topic_of{std::move(all), number, shown});
    shown->subscribers.store(count);
  }

  member_list<ref<M>> subscribers{};
  std::uint64_t next_number = 1;
  std::shared_ptr<listed_topic> listed{};  // null: it has had no subscriber yet
};

}  // namespace detail

// const auto prices = engine.create(tact::topic<tick>());
// engine.ask(prices, tact::subscribe_topic<tick>{screen});
// engine.send(prices, tick{...});
//
// Sends each M that it gets to all subscribers, with one message each, in the order in which they subscribed. Each
// subscriber hears what one publisher sends in that order; with a topic that was created tact::parallel in no promised
// order. Several workers may publish at the same time then. A subscriber that ends leaves by itself.
// An M is copied for each subscriber: publish a large one as tact::topic<std::shared_ptr<const large>>. What is
// published reaches all subscribers or, when the topic's run fails, for example because a copy throws, none.
// A topic waits for no subscriber. One that may be slow subscribes through tact::paced, which bounds what waits for it.
// Costs: a publication one message and one for each subscriber; subscribing and leaving the logarithm of their number.
// Source of the idea: the subjects of Lisp-Actors, to which others subscribe.
template <class M>
[[nodiscard]] behavior<topic_protocol<M>> topic() {
  static_assert(!detail::some_protocol<M>, "tact::topic<M>: a topic is of one message type, not of a protocol");
  static_assert(!detail::has_customer<M>, "tact::topic<M>: a request has one answer, so M must not be one");
  static_assert(std::is_copy_constructible_v<M>,
                "tact::topic<M>: each subscriber gets a copy, so M must be copyable; wrap it in a std::shared_ptr");
  return detail::topic_of<M>{};
}

// Names of earlier versions; they go with the next one.
template <class M>
using published [[deprecated("use tact::topic_protocol")]] = topic_protocol<M>;

}  // namespace tact

#include "tact/detail/end.hpp"  // last
