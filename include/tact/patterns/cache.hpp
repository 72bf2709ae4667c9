// tact::cache: keeps the answers of a service.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <chrono>
#include <concepts>
#include <cstddef>
#include <iosfwd>
#include <type_traits>

#include "tact/behavior.hpp"
#include "tact/detail/caching.hpp"
#include "tact/failure.hpp"
#include "tact/protocol.hpp"
#include "tact/ref.hpp"
#include "tact/request.hpp"

namespace tact {

// What a cache keeps: so many answers, each for so long, counted from its arrival. Without an age it is kept until it
// is the least recently used.
struct cache_limits {
  std::size_t entries = 0;
  std::chrono::nanoseconds age = (std::chrono::nanoseconds::max)();
};
std::ostream& operator<<(std::ostream&, const cache_limits&);

// The protocol of a cache. Users send request<Q>; the rest is its own, and no limit holds for that.
template <class Q>
struct cached : protocol<request<Q>, detail::own_words<request<detail::fetched<Q>>>, failure> {};

// const auto prices = engine.create(tact::cache<price_of>(shop, {.entries = 1000, .age = 1min}));
// engine.ask(prices, price_of{"tea"});  // asks the shop; within a minute the next one does not
//
// Keeps the answers of `service` by their queries, `limits.entries` of them; of more the least recently used goes. An
// answer is given for `limits.age` from its arrival on, by tact's clock, which is virtual in simulations; then the
// service is asked again. A request that comes while the same query is at the service waits for that answer, and is
// told in the order in which all have asked; the service is asked in the context of the first. A failure is told to
// those who wait, and not kept. When the cache ends, those who wait fail (target_ended); the cache does not notice a
// service that forgets a request, as all who defer. An answer that is kept costs no message more than one by the
// service itself, and does not change the cache's behaviour: as tact::parallel it answers several at a time. A miss
// costs the request to the service, its answer and the word to the cache that it is there; one for each request that
// waits, to note that; and one for all of them to note that they do not any more. Throws usage_error when no entries,
// or no time at all, are to be kept. Q is sorted by <: two queries are the same when neither is less. Thread safety:
// any placement. Source of the idea: memo tables; Lisp-Actors has lazy values only.
template <class Q, class P>
[[nodiscard]] behavior<cached<Q>> cache(ref<P> service, cache_limits limits) {
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

}  // namespace tact

#include "tact/detail/end.hpp"  // last
