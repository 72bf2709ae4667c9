// tact::throttle: a behaviour that passes messages on no faster than at a given rate.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <chrono>
#include <cstdint>
#include <iosfwd>
#include <type_traits>
#include <utility>

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

// A token bucket: `messages` tokens fall into it `per` so long a time, evenly, and it holds `burst` of them.
struct throttle_options {
  std::uint32_t messages = 1;
  std::chrono::nanoseconds per = std::chrono::seconds(1);
  std::uint32_t burst = 1;            // so many may go at once after a pause
  std::uint64_t waiting_max = 1'000;  // so many may wait
};
std::ostream& operator<<(std::ostream&, const throttle_options&);

namespace detail {

// A token has come for the first message that waits.
struct token_has_come {};

}  // namespace detail

// The protocol of a throttle. Programs send M; the rest is its own, and no limit holds for that.
template <class M>
struct throttle_protocol : protocol<M, detail::own_words<detail::token_has_come>, failure> {};

namespace detail {

// How full the bucket is, as one time: that at which it will be full, if no more tokens are taken.
struct token_bucket {
  std::int64_t interval_ns;  // from token to token
  std::int64_t room_ns;      // interval times what it holds, less one
  std::int64_t full_ns = 0;

  // How long it takes until there is a token; 0 or less when there is one.
  [[nodiscard]] std::int64_t wait_ns(std::int64_t now_ns) const noexcept { return full_ns - room_ns - now_ns; }
  void take(std::int64_t now_ns) noexcept { full_ns = sum_ns(full_ns < now_ns ? now_ns : full_ns, interval_ns); }
};

// While messages wait, one timer runs, for the next token; it is never cancelled, so none is ever out of date.
template <class M>
struct throttle_of {
  using self_type = self<throttle_protocol<M>>;

  void operator()(self_type& self, const M& m) const {
    token_bucket b = bucket;
    const std::int64_t now = now_ns();
    if (waiting.empty() && b.wait_ns(now) <= 0) {
      b.take(now);
      hand_over(self, to, m);
      return self.become(throttle_of{to, waiting_max, b});
    }
    if (waiting.size() >= waiting_max) return refuse(self, m);
    if (waiting.empty()) wait_for_token(self, b, now);
    self.become(throttle_of{to, waiting_max, b, waiting.push_back(hold_back(self, m))});
  }
  void operator()(self_type& self, const token_has_come&) const { go_on(self); }
  // The run for which the timer had gone off has failed.
  void operator()(self_type& self, const failure&) const { go_on(self); }

  // Lets as many go as there are tokens.
  void go_on(self_type& self) const {
    const sure_run sure(self);
    token_bucket b = bucket;
    const std::int64_t now = now_ns();
    leaving<M> all(self);
    auto rest = waiting;
    for (; !rest.empty() && b.wait_ns(now) <= 0; rest = std::move(rest).pop_front()) {
      all.send(rest.front(), to);
      b.take(now);
    }
    all.commit();
    if (!rest.empty()) wait_for_token(self, b, now);
    self.become(throttle_of{to, waiting_max, b, std::move(rest)});
  }
  static void wait_for_token(self_type& self, const token_bucket& b, std::int64_t now) {
    self.send_after(std::chrono::nanoseconds(b.wait_ns(now)), self.ref(), token_has_come{});
  }
  static void refuse(self_type& self, const M& m) {
    if constexpr (has_customer<M>) {
      self.fail(m, failure{failure_reason::mailbox_full, "throttle: too many requests wait already"});
    } else {
      self.pass_on(ref<M>{}, m);
    }
  }
  static std::int64_t now_ns() noexcept { return std::chrono::nanoseconds(detail::now().time_since_epoch()).count(); }

  ref<M> to;
  std::uint64_t waiting_max;
  token_bucket bucket;
  queue<held<M>> waiting{};
};

}  // namespace detail

// const auto calm = engine.create(tact::throttle(api, {.messages = 50, .per = 1s, .burst = 10}));
//
// Passes what it gets on to `to`, a ref of one message type, which may be a request: at once while there are tokens,
// and otherwise when a token has come, in the order in which it came. So in any time t no more than burst + t *
// messages / per go on. When `waiting_max` messages wait already, a further message is a dead letter, and a further
// request fails with mailbox_full. A token takes whole nanoseconds, rounded up; so no more than one message a
// nanosecond goes on. Answers go straight to the customers. A message that waits goes on in its own context. When the
// throttle ends, requests that wait in it fail with target_ended, and other messages are lost. Costs: two messages in
// the place of one. A message that must wait costs a copy, and one timer for each time that a token comes; a request
// that must wait costs two more messages to itself. With tact::parallel the order is not kept. Throws usage_error for
// options that make no sense. Source of the idea: the token buckets of networks.
template <class M>
[[nodiscard]] behavior<throttle_protocol<M>> throttle(ref<M> to, const throttle_options& options) {
  static_assert(!detail::some_protocol<M>, "tact::throttle: it passes one type of message on: narrow the ref to it");
  static_assert(std::is_copy_constructible_v<M>,
                "tact::throttle: what waits is copied, so the message must be copyable");
  if (options.messages == 0 || options.burst == 0 || options.per.count() <= 0) {
    throw usage_error("tact::throttle: messages, per and burst are positive");
  }
  const std::int64_t interval = (options.per.count() - 1) / options.messages + 1;
  if (interval > detail::never_ns / 4 / options.burst) {
    throw usage_error("tact::throttle: burst * per / messages is more than the clock can say");
  }
  if constexpr (!detail::some_protocol<M> && std::is_copy_constructible_v<M>) {
    return detail::throttle_of<M>{to, options.waiting_max, {interval, interval * (std::int64_t{options.burst} - 1)}};
  } else {
    return {};
  }
}

// Names of earlier versions; they go with the next one.
template <class M>
using throttled [[deprecated("use tact::throttle_protocol")]] = throttle_protocol<M>;

}  // namespace tact

#include "tact/detail/end.hpp"  // last
