// tact::first_of: a service that asks several services, of which the first counts.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "tact/behavior.hpp"
#include "tact/patterns/detail/racing.hpp"
#include "tact/patterns/outcome.hpp"
#include "tact/ref.hpp"
#include "tact/request.hpp"
#include "tact/self.hpp"

namespace tact {

// The query of a service made by first_of of services that differ: one for each of them. All have replies of one type.
template <class... Qs>
struct to_first {
  using reply = typename request<std::tuple_element_t<0, std::tuple<Qs...>>>::reply;
  static_assert((std::is_same_v<typename request<Qs>::reply, reply> && ...),
                "tact::first_of: the replies of all queries have the same type, because one of them is the answer");
  std::tuple<Qs...> queries;
};

namespace detail {

template <class... Qs>
behavior<request<to_first<Qs...>>> racing_service_of_each(race_rule rule, std::optional<std::chrono::nanoseconds> limit,
                                                          ref<request<Qs>>... services) {
  static_assert((std::is_copy_constructible_v<Qs> && ...),
                "tact::first_of, any_ok: each service is sent a copy of its query, so queries must be copyable");
  static_assert(sizeof...(Qs) <= join_answers_max, "tact::first_of, any_ok: at most 62 services can race");
  using R = typename request<to_first<Qs...>>::reply;
  return {[all = std::tuple{services...}, rule, limit](transaction& tx, const request<to_first<Qs...>>& m) {
    const auto answer = [to = m.customer](transaction& later, outcome<R>&& o) {
      o ? later.send(to, std::move(*o)) : later.fail(to, o.why());
    };
    const auto ask = [&]<std::size_t... I>(port customer, std::index_sequence<I...>) {
      (tx.send(std::get<I>(all), request<Qs>{access::make_ref<R>(customer + I), std::get<I>(m.body.queries)}), ...);
    };
    begin_race<R, to_first<Qs...>>(tx, sizeof...(Qs), limit, rule, answer, failing_customer<R>{m.customer},
                                   [&](port customer) { ask(customer, std::index_sequence_for<Qs...>{}); });
    tx.defer(m);
  }};
}

template <class Q>
behavior<request<Q>> racing_service(std::vector<ref<request<Q>>> services, race_rule rule,
                                    std::optional<std::chrono::nanoseconds> limit) {
  static_assert(std::is_copy_constructible_v<Q>,
                "tact::first_of, any_ok: each service is sent a copy of the query, so Q must be copyable");
  using R = typename request<Q>::reply;
  refuse_long_race(services.size());
  if constexpr (std::is_copy_constructible_v<Q>) {
    return {[services = std::move(services), rule, limit](transaction& tx, const request<Q>& m) {
      const auto answer = [to = m.customer](transaction& later, outcome<R>&& o) {
        o ? later.send(to, std::move(*o)) : later.fail(to, o.why());
      };
      race(tx, services, m.body, limit, rule, answer, failing_customer<R>{m.customer});
      tx.defer(m);
    }};
  } else {
    return {};
  }
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
// As first_of(services), but a request fails with timed_out when nothing has come within `limit`. Source: the select of
// Lisp-Actors.
template <class Q, class Rep, class Period>
[[nodiscard]] behavior<request<Q>> first_of(std::vector<ref<request<Q>>> services,
                                            std::chrono::duration<Rep, Period> limit) {
  return detail::racing_service<Q>(std::move(services), detail::race_rule::first_outcome,
                                   std::chrono::nanoseconds(detail::whole_ns(limit)));
}

// As first_of, for services that are asked different queries, with replies of the same type.
//
// const auto found = engine.create(tact::first_of(cache, store), tact::parallel);
// const page p = engine.ask(found, tact::to_first<cached, stored>{{cached{"tea"}, stored{"tea", today}}});
template <class... Qs>
  requires(sizeof...(Qs) > 0)
[[nodiscard]] behavior<request<to_first<Qs...>>> first_of(ref<request<Qs>>... services) {
  return detail::racing_service_of_each<Qs...>(detail::race_rule::first_outcome, {}, services...);
}
// As the call above, but a request fails with timed_out when nothing has come within `limit`.
template <class Rep, class Period, class... Qs>
  requires(sizeof...(Qs) > 0)
[[nodiscard]] behavior<request<to_first<Qs...>>> first_of(std::chrono::duration<Rep, Period> limit,
                                                          ref<request<Qs>>... services) {
  return detail::racing_service_of_each<Qs...>(detail::race_rule::first_outcome,
                                               std::chrono::nanoseconds(detail::whole_ns(limit)), services...);
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
// As any_ok, for services that are asked different queries.
template <class... Qs>
  requires(sizeof...(Qs) > 0)
[[nodiscard]] behavior<request<to_first<Qs...>>> any_ok(ref<request<Qs>>... services) {
  return detail::racing_service_of_each<Qs...>(detail::race_rule::first_answer, {}, services...);
}
template <class Rep, class Period, class... Qs>
  requires(sizeof...(Qs) > 0)
[[nodiscard]] behavior<request<to_first<Qs...>>> any_ok(std::chrono::duration<Rep, Period> limit,
                                                        ref<request<Qs>>... services) {
  return detail::racing_service_of_each<Qs...>(detail::race_rule::first_answer,
                                               std::chrono::nanoseconds(detail::whole_ns(limit)), services...);
}

}  // namespace tact

#include "tact/detail/end.hpp"  // last
