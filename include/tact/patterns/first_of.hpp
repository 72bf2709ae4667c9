// tact::first_of: a service that asks several services, of which the first counts.
#include "tact/detail/language.hpp"  // first
#pragma once

#include <chrono>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "tact/behavior.hpp"
#include "tact/detail/racing.hpp"
#include "tact/patterns/outcome.hpp"
#include "tact/ref.hpp"
#include "tact/request.hpp"
#include "tact/self.hpp"

namespace tact {

namespace detail {

template <class Q>
behavior<request<Q>> racing_service(std::vector<ref<request<Q>>> services, race_rule rule,
                                    std::optional<std::chrono::nanoseconds> limit) {
  static_assert(std::is_copy_constructible_v<Q>,
                "tact::first_of, any_ok: each service is sent a copy of the query, so Q must be copyable");
  using R = typename request<Q>::reply;
  refuse_long_race(services.size());
  return {[services = std::move(services), rule, limit](transaction& tx, const request<Q>& m) {
    const auto answer = [to = m.customer](transaction& later, outcome<R>&& o) {
      o ? later.send(to, std::move(*o)) : later.fail(to, o.why());
    };
    race(tx, services, m.body, limit, rule, answer, failing_customer<R>{m.customer});
    tx.defer(m);
  }};
}

}  // namespace detail

// engine.create(tact::first_of<quote>({near, far}), tact::parallel)
//
// A service that sends each request to all of `services`, at most 62, and gives the answer or failure that comes first;
// the others are cancelled, as self.ask_first says. A request costs its requests, their answers, the answer, and one
// actor. With tact::parallel, several workers begin requests at once. Throws usage_error when there are more services.
// Source: the race of Lisp-Actors.
template <class Q>
[[nodiscard]] behavior<request<Q>> first_of(std::vector<ref<request<Q>>> services) {
  return detail::racing_service<Q>(std::move(services), detail::race_rule::first_outcome, {});
}
// The same, but a request fails with timed_out when nothing has come within `limit`. Source: the select of Lisp-Actors.
template <class Q, class Rep, class Period>
[[nodiscard]] behavior<request<Q>> first_of(std::vector<ref<request<Q>>> services,
                                            std::chrono::duration<Rep, Period> limit) {
  return detail::racing_service<Q>(std::move(services), detail::race_rule::first_outcome,
                                   std::chrono::nanoseconds(detail::whole_ns(limit)));
}

// As first_of, but the first answer counts; a request fails when all services have failed it, as self.ask_any says.
template <class Q>
[[nodiscard]] behavior<request<Q>> any_ok(std::vector<ref<request<Q>>> services) {
  return detail::racing_service<Q>(std::move(services), detail::race_rule::first_answer, {});
}
template <class Q, class Rep, class Period>
[[nodiscard]] behavior<request<Q>> any_ok(std::vector<ref<request<Q>>> services,
                                          std::chrono::duration<Rep, Period> limit) {
  return detail::racing_service<Q>(std::move(services), detail::race_rule::first_answer,
                                   std::chrono::nanoseconds(detail::whole_ns(limit)));
}

}  // namespace tact
