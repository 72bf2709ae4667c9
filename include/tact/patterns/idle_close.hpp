// tact::idle_close: a resource that is opened when it is used, and closed when it was not used for a while.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <chrono>
#include <type_traits>
#include <utility>

#include "tact/behavior.hpp"
#include "tact/detail/counted.hpp"
#include "tact/detail/deadline.hpp"
#include "tact/failure.hpp"
#include "tact/patterns/detail/idle_resource.hpp"
#include "tact/protocol.hpp"
#include "tact/ref.hpp"
#include "tact/request.hpp"
#include "tact/self.hpp"

namespace tact {

// Tells that a resource of an idle_close was closed: its actor has ended, for whatever reason.
struct resource_closed {};

// The protocol of an idle_close. Programs send request<Q>; the rest is its own, and no limit holds for that.
template <class Q>
struct idle_close_protocol
    : protocol<request<Q>, detail::own_words<detail::use_over, detail::idle_time_over, detail::resource_gone>,
               failure> {};

// const auto store = engine.create(tact::idle_close<write_line>(
//     [](tact::transaction& tx) { return tx.create(open_log("log"), tact::owned); }, 30s));
//
// A service whose requests go to a resource, an actor that `open(transaction&)` makes when there is none: on the first
// request, and on the next one after a close. It returns the owner of an actor that takes request<Q>; to make it with
// tact::blocking is possible. The requests go to the resource one at a time, in the order in which they came, the
// others wait. When none has come for `idle` after the last one has ended, the owner goes, and with it the actor: that
// is the close. Each use begins the time anew. A resource that ends by itself fails its request and is opened again for
// the next one. When `open` throws, that request fails with the text of the exception; the next one tries again.
// `told` is sent resource_closed once for each resource that was opened, when it has ended.
//
// When this actor ends, requests that wait in it fail with target_ended, and the resource is closed behind the request
// that is at it. A resource that defers a request and forgets it keeps the others waiting: let it be asked through
// tact::serializer with a limit. Created tact::parallel it promises the same except for the order, and `open` may be
// called in vain. Costs: six messages for a request, one of them the order to watch, one more when it waits, and a
// timer when none is behind it. `open` is called with const. Throws usage_error when `idle` is not positive. Source:
// Lisp-Actors (filer), which knows files only.
template <class Q, class F, class Rep, class Period>
[[nodiscard]] behavior<idle_close_protocol<Q>> idle_close(F open, std::chrono::duration<Rep, Period> idle,
                                                          ref<resource_closed> told = {}) {
  static_assert(std::is_copy_constructible_v<Q>,
                "tact::idle_close<Q>: a query is copied to the resource, so Q must be copyable");
  static_assert(std::is_invocable_v<const F&, transaction&>,
                "tact::idle_close: `open` is not callable with a transaction&, or not const");
  static_assert(detail::is_owner<std::invoke_result_t<const F&, transaction&>>,
                "tact::idle_close: `open` returns an owner: tx.create(..., tact::owned)");
  const std::chrono::nanoseconds ns(detail::whole_ns(idle));
  if (ns.count() == 0) throw usage_error("tact::idle_close: the idle time is not positive");
  return detail::idle_resource<Q, F, resource_closed>(std::move(open), ns, told);
}

// Names of earlier versions; they go with the next one.
template <class Q>
using closed_when_idle [[deprecated("use tact::idle_close_protocol")]] = idle_close_protocol<Q>;

}  // namespace tact

#include "tact/detail/end.hpp"  // last
