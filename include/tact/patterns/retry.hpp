// tact::retry: a service whose requests are asked again when they fail.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <chrono>
#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include "tact/behavior.hpp"
#include "tact/context.hpp"
#include "tact/detail/copied_failure.hpp"
#include "tact/detail/counted.hpp"
#include "tact/failure.hpp"
#include "tact/patterns/detail/backoff.hpp"
#include "tact/patterns/detail/relayed_answer.hpp"
#include "tact/protocol.hpp"
#include "tact/ref.hpp"
#include "tact/request.hpp"
#include "tact/self.hpp"
#include "tact/transaction.hpp"

namespace tact {

// How often, and when, a request is asked again.
struct retry_options {
  unsigned attempts = 3;                                                 // the first one counted
  std::chrono::nanoseconds first_delay = std::chrono::milliseconds(10);  // from the first failure to the second attempt
  double factor = 2;  // each further delay is so many times as long; 1: all are the same
  std::chrono::nanoseconds delay_max = std::chrono::seconds(10);
  double jitter = 0;       // 0 to 1: each delay is shorter by a random part of itself, this part at most
  std::uint64_t seed = 1;  // of the random parts
  // How many retries are allowed for each request, in the long run; none: any number. With a budget a service that
  // fails all requests gets no more than 1 + budget times its load: with 0.2 a fifth more. Source of the idea: Finagle.
  std::optional<double> budget{};
  double reserve = 10;  // so many retries are allowed at the beginning, and at most saved up
  // Whether a failure is worth another attempt; null: each is, except engine_ended. It must not throw.
  bool (*is_worth_it)(const failure&) = nullptr;
};
std::ostream& operator<<(std::ostream&, const retry_options&);

namespace detail {

// A request, and how often it was asked.
template <class Q>
struct asked_again {
  counted<const Q> query;
  unsigned attempts;  // that have failed
};
// Tells the relay that an attempt has failed. The customer is that of the request, so it is told if this message is
// lost.
template <class Q>
struct attempt_failed {
  using reply = typename request<Q>::reply;
  asked_again<Q> what;
  failure why;
};
// Tells the relay that the delay before an attempt is over.
template <class Q>
struct attempt_due {
  using reply = typename request<Q>::reply;
  asked_again<Q> what;
};

}  // namespace detail

// The protocol of a retry relay. Programs send request<Q>; the rest is its own, and no limit holds for that.
template <class Q>
struct retry_protocol
    : protocol<request<Q>, detail::own_words<request<detail::attempt_failed<Q>>, request<detail::attempt_due<Q>>>> {};

namespace detail {

inline backoff backoff_of(const retry_options& o) noexcept {
  return {o.first_delay, o.factor, o.delay_max, o.jitter, o.seed};
}

template <class Q>
struct retrying {
  using self_type = self<retry_protocol<Q>>;
  using reply = typename request<Q>::reply;

  void operator()(self_type& self, const request<Q>& m) const {
    attempt(self, m, {counted<const Q>::make(m.body), 0});
    if (options.budget) become_with(self, saved + *options.budget, drawn);
  }
  void operator()(self_type& self, const request<attempt_due<Q>>& m) const { attempt(self, m, m.body.what); }
  void operator()(self_type& self, const request<attempt_failed<Q>>& m) const {
    const char* const why_not = reason_to_give_up(self, m.body);
    if (why_not != nullptr) return self.fail(m, last_failure(m.body, why_not));
    self.send_after(delay_after(m.body.what.attempts), self.ref(), in_the_name_of(m, attempt_due<Q>{m.body.what}));
    become_with(self, options.budget ? saved - 1 : saved, drawn + 1);
  }

  template <class Message>
  void attempt(self_type& self, const Message& m, const asked_again<Q>& what) const {
    self.ask(
        service, *what.query, relayed_answer<reply>{m.customer},
        [m = ref<reply>(m.customer), gate = self.ref(), what](transaction& tx, const failure& f) {
          owe(access::run_of(tx), access::port_of(m));
          tx.send(gate, request<attempt_failed<Q>>{m, {{what.query, what.attempts + 1}, as_far_as_memory_goes(f)}});
        });
    self.defer(m);
  }
  [[nodiscard]] const char* reason_to_give_up(self_type& self, const attempt_failed<Q>& m) const {
    if (m.what.attempts >= options.attempts) return "";
    if (m.why.reason == failure_reason::engine_ended) return ", not worth another";
    if (options.is_worth_it != nullptr && !options.is_worth_it(m.why)) return ", not worth another";
    if (self.context().is_over()) return ", and the task is over";
    if (options.budget && saved < 1) return ", and the budget of retries is used up";
    return nullptr;
  }
  static failure last_failure(const attempt_failed<Q>& m, const char* why_not) {
    const std::string how = "retry: after " + std::to_string(m.what.attempts) +
                            (m.what.attempts == 1 ? " attempt" : " attempts") + why_not + ": ";
    return with_prefix(how.c_str(), m.why);
  }
  [[nodiscard]] std::chrono::nanoseconds delay_after(unsigned failed) const noexcept {
    return backoff_of(options).after(failed, drawn);
  }
  void become_with(self_type& self, double saving, std::uint64_t drawing) const {
    self.become(retrying{service, options, saving < options.reserve ? saving : options.reserve, drawing});
  }

  ref<request<Q>> service;
  retry_options options;
  double saved;
  std::uint64_t drawn = 0;  // random parts
};

inline void look_at(const retry_options& o) {
  if (o.attempts == 0) throw usage_error("tact::retry: attempts is 0: the first attempt counts, so it is 1 at least");
  backoff_of(o).look_at("tact::retry");
  if (o.budget && (!is_number(*o.budget) || *o.budget < 0)) throw usage_error("tact::retry: the budget is negative");
  if (!is_number(o.reserve) || o.reserve < 0) throw usage_error("tact::retry: the reserve is negative");
}

}  // namespace detail

// const auto stubborn = engine.create(tact::retry<fetch>(store, {.attempts = 5, .jitter = 0.5}));
//
// Asks `service` on behalf of its own clients, and asks again when that fails, after a delay. The answer goes to the
// customer; when the last attempt fails as well, the customer hears its reason, and in the text how many attempts there
// were. There is no further attempt when the context of the request is over, after engine_ended, when the budget is
// used up, and for a failure that `is_worth_it` does not take. The service must bear a query that comes twice: a
// request that has failed may have had its effect. A run of the relay itself that fails fails its request at once. When
// the relay ends, an attempt that is at the service may still be answered; one that waits fails with target_ended.
// Costs: four messages for a request in the place of two, and five and a timer for each retry. Throws usage_error for
// options that make no sense. Source of the idea: Finagle, for the budget.
template <class Q>
[[nodiscard]] behavior<retry_protocol<Q>> retry(ref<request<Q>> service, const retry_options& options = {}) {
  static_assert(std::is_copy_constructible_v<Q>,
                "tact::retry<Q>: a query is copied for each attempt, so Q must be copyable");
  detail::look_at(options);
  return detail::retrying<Q>{service, options, options.reserve};
}

// Names of earlier versions; they go with the next one.
template <class Q>
using retried [[deprecated("use tact::retry_protocol")]] = retry_protocol<Q>;

}  // namespace tact

#include "tact/detail/end.hpp"  // last
