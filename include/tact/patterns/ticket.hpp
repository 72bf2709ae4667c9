// tact::ticket_office: a behaviour that lends a resource to one holder after the other, each for a limited time.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <chrono>
#include <cstdint>

#include "tact/behavior.hpp"
#include "tact/detail/deadline.hpp"
#include "tact/failure.hpp"
#include "tact/patterns/detail/lessor.hpp"
#include "tact/patterns/give_back.hpp"
#include "tact/protocol.hpp"
#include "tact/ref.hpp"
#include "tact/request.hpp"

namespace tact {

// Asks for the resource. The answer is the ticket, as soon as the resource is free.
struct ticket_lease {
  using reply = ticket;

  // A lease that ends at the latest when this actor has ended.
  template <class P>
  [[nodiscard]] static ticket_lease of(ref<P> holder) noexcept {
    return {detail::address_of(holder)};
  }

  detail::port holder = 0;  // 0: no actor is watched
};

// The protocol of a ticket office. Users send request<ticket_lease>; the rest is its own, and no limit holds for that.
struct ticket_office_protocol : protocol<request<ticket_lease>, detail::own_words<detail::lease_over>, failure> {};

// const auto office = engine.create(tact::ticket_office(std::chrono::seconds(1)));
// const tact::ticket mine = engine.ask(office, tact::ticket_lease{});
// ...                                   // the resource is mine for a second
// engine.send(mine, tact::give_back{});
//
// Lends a resource, of which there are `places`, to its clients, in the order in which it handles their requests. A
// lease ends once: when its ticket is given back, when `limit` has passed since it was granted, or when its holder has
// ended, if the query named one. Then the next one is answered, in the context of its own request. A request whose
// context is over when its turn has come is left out, and fails with timed_out. When the asker has given up, and no
// actor hears the answer, the resource stays lent until the limit.
//
// Only the holder of the ticket can give it back: the ticket is the address of an actor of its own, which ends with the
// lease, so a second give_back is a dead letter. When the office ends the requests that wait in it fail with
// target_ended. Throws usage_error when there are no places, or when the limit is not positive. A limit beyond what
// nanoseconds can say is none. Source: Lisp-Actors (with-ticket).
template <class Rep, class Period>
[[nodiscard]] behavior<ticket_office_protocol> ticket_office(std::chrono::duration<Rep, Period> limit,
                                                             std::uint64_t places = 1) {
  if (places == 0) throw usage_error("tact::ticket_office: a resource has one place at least");
  return detail::lessor<ticket_office_protocol>(detail::lease_limit(limit, "tact::ticket_office"), places);
}

// Names of earlier versions; they go with the next one.
using ticketed [[deprecated("use tact::ticket_office_protocol")]] = ticket_office_protocol;
using lease [[deprecated("use tact::ticket_lease")]] = ticket_lease;

}  // namespace tact

#include "tact/detail/end.hpp"  // last
