// tact::sequence, and_in_series, or_in_series: services that are asked one after the other.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>
#include <vector>

#include "tact/behavior.hpp"
#include "tact/detail/access.hpp"
#include "tact/detail/counted.hpp"
#include "tact/failure.hpp"
#include "tact/ref.hpp"
#include "tact/request.hpp"
#include "tact/transaction.hpp"

namespace tact {
namespace detail {

// When the next service is asked.
enum class series_rule : unsigned char {
  after_any,    // after any answer: sequence
  after_true,   // and_in_series
  after_false,  // or_in_series, which goes on after a failure too
};

// One request on its way through the services. Each answer is handled by a beta, whose run owes the customer: if it
// fails, the customer is told.
template <class Q>
struct series {
  using R = typename request<Q>::reply;

  void ask(transaction& tx, std::size_t at, const failure* failed_before) const {
    const bool is_last = at + 1 == services->size();
    if (is_last && failed_before == nullptr) return tx.send((*services)[at], request<Q>{customer, query});
    settle_debt(access::run_of(tx), access::port_of(customer));  // the beta will owe it
    counted<failure> failed;
    if (failed_before != nullptr) failed = counted<failure>::make(*failed_before);
    tx.ask((*services)[at], query,
           [self = *this, at, failed](transaction& later, R& answer) {
             owe(access::run_of(later), access::port_of(self.customer));
             self.hear(later, at, answer, failed ? &*failed : nullptr);
           },
           [self = *this, at, failed](transaction& later, const failure& f) {
             owe(access::run_of(later), access::port_of(self.customer));
             self.hear_failure(later, at, failed ? *failed : f);
           });
  }

 private:
  void hear(transaction& tx, std::size_t at, R& answer, const failure* failed_before) const {
    if (!goes_on(answer)) return tx.send(customer, std::move(answer));
    if (at + 1 != services->size()) return go_on(tx, at + 1, failed_before);
    failed_before != nullptr ? tx.fail(customer, *failed_before) : tx.send(customer, std::move(answer));
  }
  void hear_failure(transaction& tx, std::size_t at, const failure& f) const {
    if (rule != series_rule::after_false || at + 1 == services->size()) return tx.fail(customer, f);
    go_on(tx, at + 1, &f);
  }
  void go_on(transaction& tx, std::size_t at, const failure* failed_before) const {
    if (!tx.context().is_over()) return ask(tx, at, failed_before);
    tx.fail(customer,
            {failure_reason::unanswered, "the task is over: it was cancelled, or its deadline has passed", {}});
  }
  [[nodiscard]] bool goes_on(const R& answer) const {
    if constexpr (std::is_constructible_v<bool, const R&>) {
      return rule == series_rule::after_any || static_cast<bool>(answer) == (rule == series_rule::after_true);
    } else {
      return true;
    }
  }

 public:
  counted<std::vector<ref<request<Q>>>> services;
  Q query;
  ref<R> customer;
  series_rule rule;
};

template <class Q>
behavior<request<Q>> service_in_series(std::vector<ref<request<Q>>>&& services, series_rule rule) {
  static_assert(std::is_copy_constructible_v<Q>,
                "tact::sequence, and_in_series, or_in_series: each service is sent a copy of the query, so Q must be "
                "copyable");
  if (services.empty()) throw usage_error("tact::sequence, and_in_series, or_in_series: give one service at least");
  const auto shared = counted<std::vector<ref<request<Q>>>>::make(std::move(services));
  return {[shared, rule](transaction& tx, const request<Q>& m) {
    series<Q>{shared, m.body, m.customer, rule}.ask(tx, 0, nullptr);
  }};
}

template <class Q>
inline constexpr bool answers_are_conditions = std::is_constructible_v<bool, const typename request<Q>::reply&>;

}  // namespace detail

// engine.create(tact::sequence<step>({lock, work, unlock}))
//
// A service that sends each request to one service after the other, the next when the one before has answered. The
// answer is that of the last. When a service fails, the request fails with its reason, and the others are not asked. It
// also fails, without asking the others, when its context is over between two services. Requests do not wait for each
// other. With n services a request costs 2n messages. Throws usage_error when there is no service. Source: Lisp-Actors.
template <class Q>
[[nodiscard]] behavior<request<Q>> sequence(std::vector<ref<request<Q>>> services) {
  return detail::service_in_series<Q>(std::move(services), detail::series_rule::after_any);
}

// As sequence, but the first answer that is false, `!answer`, is the answer, and the others are not asked; when no
// answer is false, it is that of the last service. Source: Lisp-Actors.
template <class Q>
[[nodiscard]] behavior<request<Q>> and_in_series(std::vector<ref<request<Q>>> services) {
  static_assert(detail::answers_are_conditions<Q>, "tact::and_in_series: the answers must convert to bool");
  return detail::service_in_series<Q>(std::move(services), detail::series_rule::after_true);
}

// As sequence, but the first answer that is true is the answer, and the others are not asked; when no answer is true,
// it is that of the last service. A service that fails counts as one whose answer is not true: the next one is asked,
// and only when no answer is true the request fails, with the reason of the service that failed first. Source:
// Lisp-Actors.
template <class Q>
[[nodiscard]] behavior<request<Q>> or_in_series(std::vector<ref<request<Q>>> services) {
  static_assert(detail::answers_are_conditions<Q>, "tact::or_in_series: the answers must convert to bool");
  return detail::service_in_series<Q>(std::move(services), detail::series_rule::after_false);
}

}  // namespace tact

#include "tact/detail/end.hpp"  // last
