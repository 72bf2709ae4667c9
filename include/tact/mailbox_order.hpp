// tact::by_priority and tact::by_deadline: which of the messages that wait for an actor it handles first.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <utility>

#include "tact/detail/mailbox_order.hpp"

namespace tact {

// These tags stand beside the placement when an actor is created: engine.create(open_lift(), tact::by_priority(f)). The
// actor takes the message of the highest priority, or of the earliest deadline, of all that wait at that moment; of
// those that are equal the one that came first, so messages of one sender and one priority keep their order. The order
// decides among messages that wait: nothing interrupts a handler that has begun, and a message may wait for ever if
// more urgent ones never end. tact::parallel with an order does not compile. docs/mailbox_order.md.
//
// The function is called once for each message: by the thread that sends it, or at the commit of the run that does. So
// any thread may call it, several at once. It must not block, send, or ask; it is called as const, with const M&. When
// it throws, the message is one that it does not take. A copy of it lives until the actor has ended, and as long as
// threads are in the middle of sends to it; whichever lets go of it last destroys it. Making a tag of a function that
// has state allocates memory: throws std::bad_alloc, and what moving the function throws.
//
// An order to end the actor is handled when all messages have been that came before it, and before all that come after
// it, whatever their priorities. Notices of failure (tact::failure), and what a part of tact/patterns tells itself,
// have no priority: they wait for as many messages as came before them. Source of the idea: the priority mailboxes of
// Akka; the earliest deadline first of real-time systems.

// The message for which f returns the greatest number, or enumerator, comes first. Messages of types that f does not
// take have priority 0; numbers may be negative.
template <class F>
class by_priority : public detail::typed_order<detail::priority_rank, F> {
 public:
  explicit by_priority(F f) : detail::typed_order<detail::priority_rank, F>(std::move(f)) {}
};

// The message for which f returns the earliest std::chrono::steady_clock::time_point comes first. Messages of types
// that f does not take come last, as do those with time_point::max(). A message whose deadline has passed is handled
// like any other.
template <class F>
class by_deadline : public detail::typed_order<detail::deadline_rank, F> {
 public:
  explicit by_deadline(F f) : detail::typed_order<detail::deadline_rank, F>(std::move(f)) {}
};

// Control before data: engine.create(open_pump(), tact::by_priority(tact::handled_first<stop_now, reconfigure>)).
// Messages of these types come before all others, in the order in which they came themselves. The types are written as
// in the actor's protocol; one that is no message of the actor does not compile.
template <class... Ms>
inline constexpr detail::first_of_all<Ms...> handled_first{};

// Names of earlier versions; they go with the next one.
template <class... Ms>
[[deprecated("use tact::handled_first")]] inline constexpr detail::first_of_all<Ms...> first{};

}  // namespace tact

#include "tact/detail/end.hpp"  // last
