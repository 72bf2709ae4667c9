// tact::timeout: a service that answers within a time limit, or fails.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <chrono>
#include <type_traits>

#include "tact/behavior.hpp"
#include "tact/detail/deadline.hpp"
#include "tact/failure.hpp"
#include "tact/patterns/detail/relayed_answer.hpp"
#include "tact/ref.hpp"
#include "tact/request.hpp"
#include "tact/self.hpp"

namespace tact {

// const auto quick = engine.create(tact::timeout<find>(index, 50ms), tact::parallel);
//
// Asks `service` on behalf of its own clients. A request that was not answered within `limit`, counted from the moment
// at which the relay has handled it, fails with timed_out; an answer that comes after that is a dead letter. Each
// request has a time of its own, and none waits for another one; with tact::parallel they go through at the same time.
// When the relay ends, requests that are at the service are still answered. Other failures come as they are. Costs:
// four messages for a request in the place of two, and a timer. Throws usage_error when the limit is not positive.
// Source: the timed services of Lisp-Actors. The name stands in parentheses because curses.h has a macro of that name.
template <class Q, class Rep, class Period>
[[nodiscard]] behavior<request<Q>>(timeout)(ref<request<Q>> service, std::chrono::duration<Rep, Period> limit) {
  static_assert(std::is_copy_constructible_v<Q>,
                "tact::timeout<Q>: a query is copied to the service, so Q must be copyable");
  const std::chrono::nanoseconds ns(detail::whole_ns(limit));
  if (ns.count() == 0) throw usage_error("tact::timeout: the limit is not positive: no service answers in no time");
  return {[service, ns](self<request<Q>>& self, const request<Q>& m) {
    const detail::relayed_answer<typename request<Q>::reply> relayed{m.customer};
    self.ask(service, m.body, ns, relayed, relayed);
    self.defer(m);
  }};
}

}  // namespace tact

#include "tact/detail/end.hpp"  // last
