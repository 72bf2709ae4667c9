// tact::circuit_breaker: a service that is left alone for a while when it has failed too often.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <bit>
#include <chrono>
#include <cstdint>
#include <iosfwd>
#include <optional>
#include <type_traits>
#include <utility>

#include "tact/behavior.hpp"
#include "tact/detail/deadline.hpp"
#include "tact/failure.hpp"
#include "tact/patterns/detail/relayed_answer.hpp"
#include "tact/protocol.hpp"
#include "tact/ref.hpp"
#include "tact/request.hpp"
#include "tact/self.hpp"
#include "tact/transaction.hpp"

namespace tact {

// When a circuit breaker opens: as soon as so many failed of the last `window` requests that have ended. With both the
// same it opens after so many failures in a row.
struct circuit_options {
  unsigned failures = 5;
  unsigned window = 5;  // 64 at most
  // How long it stays open, and how long a trial may take before there is another one.
  std::chrono::nanoseconds open_time = std::chrono::seconds(1);
};
std::ostream& operator<<(std::ostream&, const circuit_options&);

namespace detail {

// Tells the breaker that a request has ended.
struct request_ended {
  bool has_failed;
  std::uint64_t period;  // of the breaker, in which it began
};

}  // namespace detail

// The protocol of a circuit breaker. Programs send request<Q>; the rest is its own, and no limit holds for that.
template <class Q>
struct circuit_breaker_protocol : protocol<request<Q>, detail::own_words<detail::request_ended>> {};

namespace detail {

// What the states of a breaker share. Each time that it opens, closes or begins a trial a new period begins; what comes
// of requests of an earlier one does not count any more.
template <class Q>
struct circuit {
  ref<request<Q>> service;
  circuit_options options;
  std::uint64_t period = 0;

  [[nodiscard]] circuit next() const { return {service, options, period + 1}; }
  // Asks the service. Its answer goes to the customer, and the breaker is told how the request has ended.
  void let_through(self<circuit_breaker_protocol<Q>>& self, const request<Q>& m) const {
    using R = typename request<Q>::reply;
    const relayed_answer<R> relayed{m.customer};
    const auto tell = [gate = self.ref(), now = period](transaction& tx, bool has_failed) {
      tx.send(gate, request_ended{has_failed, now});
    };
    access::ask_regardless<transaction>(
        self, std::nullopt, service, m.body,
        [relayed, tell](transaction& tx, R& answer) {
          relayed(tx, answer);
          tell(tx, false);
        },
        [relayed, tell](transaction& tx, const failure& f) {
          relayed(tx, f);
          tell(tx, true);
        });
    self.defer(m);
  }
};

// The breaker is open until that time. The first request that comes after it makes the breaker half open, and is its
// trial.
template <class Q>
struct open_circuit {
  using self_type = self<circuit_breaker_protocol<Q>>;

  void operator()(self_type& self, const request<Q>& m) const;
  void operator()(self_type& self, const request_ended& m) const;

  circuit<Q> about;
  deadline until;
  bool is_trying = false;
};

template <class Q>
struct closed_circuit {
  using self_type = self<circuit_breaker_protocol<Q>>;

  void operator()(self_type& self, const request<Q>& m) const { about.let_through(self, m); }
  void operator()(self_type& self, const request_ended& m) const {
    if (m.period != about.period) return;
    const unsigned window = about.options.window;
    const std::uint64_t seen = window == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << window) - 1;
    const std::uint64_t now = ((history << 1) | (m.has_failed ? 1U : 0U)) & seen;
    if (std::popcount(now) >= static_cast<int>(about.options.failures)) {
      return self.become(open_circuit<Q>{about.next(), deadline_after(about.options.open_time)});
    }
    if (now != history) self.become(closed_circuit{about, now});
  }

  circuit<Q> about;
  std::uint64_t history = 0;  // a bit for each of the last requests, the latest lowest; 1: it failed
};

template <class Q>
void open_circuit<Q>::operator()(self_type& self, const request<Q>& m) const {
  if (!is_over(until)) {
    return self.fail(m, failure{failure_reason::unanswered,
                                is_trying ? "circuit breaker: half open, and another request is on trial"
                                          : "circuit breaker: open, because the service has failed too often"});
  }
  const circuit<Q> trial = about.next();
  trial.let_through(self, m);
  self.become(open_circuit{trial, deadline_after(about.options.open_time), true});
}
template <class Q>
void open_circuit<Q>::operator()(self_type& self, const request_ended& m) const {
  if (!is_trying || m.period != about.period) return;
  if (m.has_failed) return self.become(open_circuit{about.next(), deadline_after(about.options.open_time)});
  self.become(closed_circuit<Q>{about.next()});
}

}  // namespace detail

// const auto guarded = engine.create(tact::circuit_breaker<pay>(bank, {.failures = 5, .window = 5}));
//
// Stands before `service`. While it is closed, it lets every request through. When too many requests have failed it
// opens: then a request fails at once with failure_reason::unanswered, and a text that begins with "circuit breaker:".
// After open_time it is half open: the next request is let through, as a trial, and the others are refused; when the
// trial is answered the breaker closes, and when that fails it opens again. A trial of which nothing is heard for
// open_time is followed by another one; so nothing that is lost keeps the breaker open for ever. A service that may not
// answer at all belongs behind a tact::timeout inside the breaker: circuit_breaker(timeout(service)).
// The breaker looks at the clock when a request comes, and sets no timers. When it ends, requests at the service are
// still answered. A request that began before the breaker opened, and is answered later, does not close it.
// Costs: five messages for a request in the place of two; two for one that is refused. Throws usage_error for options
// that make no sense. Source of the idea: Michael Nygard's Release It, and Akka's breaker.
template <class Q>
[[nodiscard]] behavior<circuit_breaker_protocol<Q>> circuit_breaker(ref<request<Q>> service,
                                                                    const circuit_options& options = {}) {
  static_assert(std::is_copy_constructible_v<Q>,
                "tact::circuit_breaker<Q>: a query is copied to the service, so Q must be copyable");
  if (options.window == 0 || options.window > 64 || options.failures == 0 || options.failures > options.window) {
    throw usage_error(
        "tact::circuit_breaker: it opens after `failures` of `window` requests: 1 <= failures <= window <= "
        "64");
  }
  if (options.open_time.count() <= 0) throw usage_error("tact::circuit_breaker: open_time is not positive");
  return detail::closed_circuit<Q>{{service, options}};
}

// Names of earlier versions; they go with the next one.
template <class Q>
using breaking [[deprecated("use tact::circuit_breaker_protocol")]] = circuit_breaker_protocol<Q>;

}  // namespace tact

#include "tact/detail/end.hpp"  // last
