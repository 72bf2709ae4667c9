// tact::pool: a behaviour that spreads requests over services, each of which serves one at a time.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <concepts>
#include <cstddef>
#include <iosfwd>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

#include "tact/behavior.hpp"
#include "tact/failure.hpp"
#include "tact/patterns/detail/pooled_service.hpp"
#include "tact/protocol.hpp"
#include "tact/ref.hpp"
#include "tact/request.hpp"
#include "tact/transaction.hpp"

namespace tact {

// How a pool is set up.
struct pool_options {
  // At most so many requests wait; a request beyond that fails at once with mailbox_full.
  std::size_t queue = (std::numeric_limits<std::size_t>::max)();
  // At most so many members are made by the factory of a pool that has one.
  std::size_t members = 1;
};
std::ostream& operator<<(std::ostream&, const pool_options&);

// The protocol of a pool. Users send request<Q>; the rest is its own, and no limit holds for that.
template <class Q>
struct pool_protocol
    : protocol<request<Q>, detail::own_words<detail::pool_turn_over, detail::pool_member_gone>, failure> {};

// engine.create(tact::pool<resize>({worker_1, worker_2}, {.queue = 1'000}))
//
// Spreads requests over `members`, each of which serves one at a time. A request goes to a member that has none; while
// all are busy requests wait, and go on in the order in which the pool handled them. The answer, or the failure, goes
// to the right customer, once, in the context of its request; a second answer is a dead letter. Users send request<Q>.
//
// A member that ends leaves the pool. The request at it fails, as does one that the pool gave it before it heard of the
// end; what waits goes to the others. When no member is left what waits fails with target_ended, and so does what
// comes. When the pool ends, what waits in it fails with target_ended, and what is at a member is still answered. A
// member that defers a request and forgets it is busy for ever; put a tact::serializer with a limit in its place.
//
// A query is copied once, so Q must be copyable. One pool that is tact::parallel promises the same except for the
// order. Source of the idea: Akka's pools, and Lisp-Actors' serializer.
template <class Q>
[[nodiscard]] behavior<pool_protocol<Q>> pool(std::vector<ref<request<Q>>> members, pool_options options = {}) {
  static_assert(std::is_copy_constructible_v<Q>, "tact::pool<Q>: a query is copied to a member, so Q must be copyable");
  return detail::pooled_service<Q, detail::makes_none>({}, std::move(members), 0, options.queue);
}

// engine.create(tact::pool<resize>(make_worker, {.members = 8}))
//
// Spreads requests as the pool above does, but makes its members when they are needed, up to options.members at a time:
// `make` takes a transaction&, in which it creates an actor, and returns its ref<request<Q>>. A member that ends is
// replaced when there is more to do than the others can. The function is called by const, perhaps by several threads at
// once, and again when a run is repeated. When it throws, the request for which a member was wanted fails with
// handler_threw; what it had created by then stays. The members that it has made are the program's: when the pool ends
// they do not. Throws usage_error when options.members is 0.
template <class Q, class F>
  requires std::is_invocable_r_v<ref<request<Q>>, const F&, transaction&>
[[nodiscard]] behavior<pool_protocol<Q>> pool(F make, pool_options options) {
  static_assert(std::is_copy_constructible_v<Q>, "tact::pool<Q>: a query is copied to a member, so Q must be copyable");
  if (options.members == 0) throw usage_error("tact::pool: a pool that makes its members needs pool_options::members");
  return detail::pooled_service<Q, F>(std::move(make), {}, options.members, options.queue);
}

// Names of earlier versions; they go with the next one.
template <class Q>
using pooled [[deprecated("use tact::pool_protocol")]] = pool_protocol<Q>;

}  // namespace tact

#include "tact/detail/end.hpp"  // last
