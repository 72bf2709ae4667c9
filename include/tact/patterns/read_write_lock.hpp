// tact::read_write_lock: a behaviour that lends a resource to many readers together, or to one writer alone.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <chrono>
#include <cstdint>

#include "tact/behavior.hpp"
#include "tact/failure.hpp"
#include "tact/patterns/detail/lessor.hpp"
#include "tact/patterns/give_back.hpp"
#include "tact/protocol.hpp"
#include "tact/ref.hpp"
#include "tact/request.hpp"

namespace tact {

// Asks for a lease that may be had together with other readers.
struct read_lease {
  using reply = ticket;

  // A lease that ends at the latest when this actor has ended.
  template <class P>
  [[nodiscard]] static read_lease of(ref<P> holder) noexcept {
    return {detail::address_of(holder)};
  }

  detail::port holder = 0;  // 0: no actor is watched
};
// Asks for a lease beside which there is no other.
struct write_lease {
  using reply = ticket;

  // As read_lease::of.
  template <class P>
  [[nodiscard]] static write_lease of(ref<P> holder) noexcept {
    return {detail::address_of(holder)};
  }

  detail::port holder = 0;
};

// The protocol of a read_write_lock. Users send the requests; the rest is its own, and no limit holds for that.
struct read_write_lock_protocol
    : protocol<request<read_lease>, request<write_lease>, detail::own_words<detail::lease_over>, failure> {};

namespace detail {

// A reader takes one of so many places that there is always one more; a writer takes them all.
template <>
inline constexpr bool takes_all_places<write_lease> = true;

}  // namespace detail

// const auto lock = engine.create(tact::read_write_lock(std::chrono::seconds(1)));
// const tact::ticket reading = engine.ask(lock, tact::read_lease{});
// ...
// engine.send(reading, tact::give_back{});
//
// Readers share the resource, a writer has it alone. First come, first served: a reader that asks behind a writer that
// waits has its turn after it, so no request waits for ever while leases end. A lease ends once: when its ticket is
// given back, when `limit` has passed since it was granted, or when its holder has ended, if the query named one. A
// request whose context is over when its turn has come is left out, and fails with timed_out; what stood behind it goes
// on. When the lock ends the requests that wait in it fail with target_ended. It is not recursive: a holder of a lease
// that asks for a second one behind a writer waits until its own has run out. Throws usage_error when the limit is not
// positive. A limit beyond what nanoseconds can say is none. Source: Lisp-Actors (rwlock).
template <class Rep, class Period>
[[nodiscard]] behavior<read_write_lock_protocol> read_write_lock(std::chrono::duration<Rep, Period> limit) {
  return detail::lessor<read_write_lock_protocol>(detail::lease_limit(limit, "tact::read_write_lock"),
                                                  std::uint64_t{1} << 62);
}

// Names of earlier versions; they go with the next one.
using read_write_locked [[deprecated("use tact::read_write_lock_protocol")]] = read_write_lock_protocol;

}  // namespace tact

#include "tact/detail/end.hpp"  // last
