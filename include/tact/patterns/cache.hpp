// tact::cache: keeps the answers of a service.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <chrono>
#include <concepts>
#include <cstddef>
#include <iosfwd>
#include <type_traits>

#include "tact/behavior.hpp"
#include "tact/failure.hpp"
#include "tact/patterns/detail/caching.hpp"
#include "tact/protocol.hpp"
#include "tact/ref.hpp"
#include "tact/request.hpp"

namespace tact {

// How many answers a cache keeps, and for how long each of them, counted from its arrival. Without an age an answer is
// kept until it is the least recently used.
struct cache_limits {
  std::size_t entries = 0;
  std::chrono::nanoseconds age = (std::chrono::nanoseconds::max)();
};
std::ostream& operator<<(std::ostream&, const cache_limits&);

// The protocol of a cache. Users send request<Q>; the rest is its own, and no limit holds for that.
template <class Q>
struct cache_protocol : protocol<request<Q>, detail::own_words<request<detail::fetched<Q>>>, failure> {};

// const auto prices = engine.create(tact::cache<price_of>(shop, {.entries = 1000, .age = 1min}));
// engine.ask(prices, price_of{"tea"});  // asks the shop; within a minute the next one does not
//
// Keeps the answers of `service` by their queries, `limits.entries` of them; when there is one more, the least recently
// used goes. An answer is given for `limits.age` from its arrival on, by tact's clock, which is virtual in simulations;
// then the service is asked again. A request that comes while the same query is at the service waits for that answer;
// all that wait are told in the order in which they came, and the service is asked in the context of the first. A
// failure is told to the requests that wait, and not kept. When the cache ends, the requests that wait fail
// (target_ended). The cache does not notice that a service has deferred a request and forgotten it. An answer that is
// kept costs no message more than one by the service itself, and does not change the cache's behaviour: as
// tact::parallel it answers several at a time. A miss costs the request to the service, its answer, and a message that
// brings the answer to the cache; one message for each request that waits, which notes that it waits; and one which
// notes that all of them have been told. Throws usage_error when no entries, or no time at all, are to be kept. Q is
// sorted by <: two queries are the same when neither is less. Thread safety: any placement. Source of the idea: memo
// tables; Lisp-Actors has lazy values only.
template <class Q, class P>
[[nodiscard]] behavior<cache_protocol<Q>> cache(ref<P> service, cache_limits limits) {
  static_assert(detail::query<Q>, "tact::cache<Q>: a query names the type of its answer: using reply = ...;");
  static_assert(detail::sendable<P, request<Q>>, "tact::cache<Q>: the service does not take request<Q>");
  static_assert(
      requires(const Q& a, const Q& b) {
        { a < b } -> std::convertible_to<bool>;
      }, "tact::cache<Q>: answers are found by their queries, so Q must be ordered: give it an operator<");
  static_assert(std::is_copy_constructible_v<Q> && std::is_copy_constructible_v<typename request<Q>::reply>,
                "tact::cache<Q>: queries and answers are kept and copied, so both must be copyable");
  if (limits.entries == 0) throw usage_error("tact::cache: it keeps no answer; let cache_limits::entries be positive");
  if (limits.age <= limits.age.zero())
    throw usage_error("tact::cache: no answer is young enough; let cache_limits::age be positive, or leave it out");
  return detail::caching<Q>{
      detail::counted<detail::cache_options<Q>>::make(ref<request<Q>>(service), limits.entries, limits.age)};
}

// Names of earlier versions; they go with the next one.
template <class Q>
using cached [[deprecated("use tact::cache_protocol")]] = cache_protocol<Q>;

}  // namespace tact

#include "tact/detail/end.hpp"  // last
