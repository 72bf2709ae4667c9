// tact::unwind_protect and tact::on_failure: a service whose requests are followed by a message, whatever becomes of
// them, or when they have failed.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <chrono>
#include <optional>
#include <type_traits>
#include <utility>

#include "tact/behavior.hpp"
#include "tact/context.hpp"
#include "tact/detail/copied_failure.hpp"
#include "tact/detail/counted.hpp"
#include "tact/detail/deadline.hpp"
#include "tact/failure.hpp"
#include "tact/patterns/detail/sure_run.hpp"
#include "tact/patterns/detail/watched_turn.hpp"
#include "tact/protocol.hpp"
#include "tact/ref.hpp"
#include "tact/request.hpp"
#include "tact/self.hpp"
#include "tact/timer.hpp"

namespace tact {
namespace detail {

enum class cleaned_up : unsigned char { always, on_failure };

// A message, and the actor to which it goes when a request has ended. Copying this object does not throw.
template <class P, class M>
struct cleanup {
  void operator()(transaction& tx) const { tx.send(to, message); }

  ref<P> to;
  M message;
};

// The customer that the service sees: for one request, and alive until that has ended. When the run that should clean
// up fails, the engine tells this actor, which then cleans up in another run; that one copies nothing that could throw.
template <class Q, class Cleanup>
struct protected_turn {
  using reply = typename request<Q>::reply;
  using self_type = self<turn_customer<Q>>;

  void operator()(self_type& self, const reply& answer) const {
    tell_if_it_fails(self, self.ref());
    end(self, when == cleaned_up::always);
    pass_answer(self, in, customer, answer);
  }
  void operator()(self_type& self, const failure& f) const {
    const sure_run sure(self);
    end(self, true);
    with_context(in, [&] { self.fail(customer, as_far_as_memory_goes(f)); });
  }

  void end(self_type& self, bool cleans_up) const {
    if (limit) cancel_limit(access::id_of(*limit));
    if (cleans_up) with_context(in, [&] { clean_up(self); });
    self.stop();
  }

  ref<reply> customer;
  Cleanup clean_up;
  cleaned_up when;
  context in;              // of the request
  counted<timer> limit{};  // null: none; set by the run that makes this actor, before any thread can run it
};

template <class Q, class Cleanup>
struct protecting {
  void operator()(self<request<Q>>& self, const request<Q>& m) const {
    const counted<timer> timed = limit ? counted<timer>::make() : counted<timer>();
    const auto turn = self.create(
        behavior<turn_customer<Q>>(protected_turn<Q, Cleanup>{m.customer, clean_up, when, self.context(), timed}));
    if (limit) *timed = self.send_after(*limit, turn, timed_out_notice());
    self.send(service, request<Q>{turn, m.body});
    self.defer(m);
  }

  ref<request<Q>> service;
  Cleanup clean_up;
  cleaned_up when;
  std::optional<std::chrono::nanoseconds> limit{};
};

template <class Q, class P, class M>
behavior<request<Q>> protect(ref<request<Q>> service, ref<P> to, M&& message, cleaned_up when,
                             std::optional<std::chrono::nanoseconds> limit) {
  static_assert(std::is_copy_constructible_v<Q>,
                "tact::unwind_protect, on_failure: a query is copied to the service, so Q must be copyable");
  static_assert(sendable<P, M>, "tact::unwind_protect, on_failure: `to` does not take the message");
  static_assert(std::is_nothrow_copy_constructible_v<M>,
                "tact::unwind_protect, on_failure: copying the message must not throw, or there would be none; hold "
                "what may throw by a std::shared_ptr");
  if (limit && limit->count() == 0) {
    throw usage_error("tact::unwind_protect, on_failure: the limit is not positive: leave it out, or set one");
  }
  using clean_up = cleanup<P, M>;
  return protecting<Q, clean_up>{service, clean_up{to, std::move(message)}, when, limit};
}

}  // namespace detail

// const auto use = engine.create(tact::unwind_protect<print>(printer, door, close_it{}, 5s), tact::parallel);
//
// Asks `service` on behalf of its own clients, and sends `message` to `to` exactly once for each request that went to
// the service: when it was answered, when it has failed, because the service threw or had ended, and when it was not
// answered within `limit`, counted from the moment at which the relay has handled it. The message leaves before the
// outcome leaves for the customer, in one commit; but the engine orders nothing between two receivers, so what the
// customer sends to `to` may overtake it. That holds whichever run of this part throws: then the customer hears a
// failure, and the message is sent all the same. When the relay ends while requests are at the service, they go on, and
// end in the same way. A request whose run throws before it went to the service fails, and there is nothing to clean
// up. An answer that comes after the limit is a dead letter.
//
// Relays of this kind are put before one another: the inner one cleans up first. Requests do not wait for each other;
// with tact::parallel they go through at the same time. Costs: five messages for a request in the place of two, and a
// timer. Throws usage_error when the limit is not positive. Source: Lisp-Actors (unw-prot), where nothing is promised
// without a limit.
template <class Q, class P, class M, class Rep, class Period>
[[nodiscard]] behavior<request<Q>> unwind_protect(ref<request<Q>> service, ref<P> to, M message,
                                                  std::chrono::duration<Rep, Period> limit) {
  return detail::protect<Q>(service, to, std::move(message), detail::cleaned_up::always,
                            std::chrono::nanoseconds(detail::whole_ns(limit)));
}
// As unwind_protect with a limit, but without one: a service that defers a request and forgets it keeps the cleanup and
// the customer waiting.
template <class Q, class P, class M>
[[nodiscard]] behavior<request<Q>> unwind_protect(ref<request<Q>> service, ref<P> to, M message) {
  return detail::protect<Q>(service, to, std::move(message), detail::cleaned_up::always, {});
}

// const auto watched = engine.create(tact::on_failure<print>(printer, log, print_failed{}, 5s), tact::parallel);
//
// As unwind_protect, but the message is sent only for a request that has failed: because the service threw or had
// ended, because it was not answered within `limit`, or because the run that should pass the answer on threw. The
// customer hears the failure all the same. A request that has failed before it went to the service is followed by no
// message here either. Throws usage_error when the limit is not positive. Source: Lisp-Actors (wrap, also).
template <class Q, class P, class M, class Rep, class Period>
[[nodiscard]] behavior<request<Q>> on_failure(ref<request<Q>> service, ref<P> to, M message,
                                              std::chrono::duration<Rep, Period> limit) {
  return detail::protect<Q>(service, to, std::move(message), detail::cleaned_up::on_failure,
                            std::chrono::nanoseconds(detail::whole_ns(limit)));
}
// As on_failure with a limit, but without one: a request that the service defers and forgets does not fail.
template <class Q, class P, class M>
[[nodiscard]] behavior<request<Q>> on_failure(ref<request<Q>> service, ref<P> to, M message) {
  return detail::protect<Q>(service, to, std::move(message), detail::cleaned_up::on_failure, {});
}

}  // namespace tact

#include "tact/detail/end.hpp"  // last
