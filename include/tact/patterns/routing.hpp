// How a tact::router chooses the member for a message.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "tact/failure.hpp"
#include "tact/patterns/detail/mix.hpp"
#include "tact/patterns/detail/shared_word.hpp"

namespace tact {

// Chooses the members in turn. When a run is repeated, a member may be left out of the turn. Thread safety: several
// runs may choose at once. With engine_options::rehearse such a router is reported, because its two runs do not choose
// the same member; so is at_random.
class round_robin {
 public:
  // The index of the next member. REQUIRES: members != 0.
  template <class M>
  [[nodiscard]] std::size_t operator()(const M&, std::size_t members) const noexcept {
    return count_.next() % members;
  }

 private:
  detail::shared_counter count_{};
};

// Chooses any member, each as likely as the others. One seed gives one sequence of choices, if they are made one at a
// time. Thread safety: as round_robin.
class at_random {
 public:
  explicit at_random(std::uint64_t seed = 1) : seed_(detail::mix(seed)) {}
  // The index of a member. REQUIRES: members != 0.
  template <class M>
  [[nodiscard]] std::size_t operator()(const M&, std::size_t members) const noexcept {
    return detail::mix(seed_ + count_.next()) % members;
  }

 private:
  std::uint64_t seed_;
  detail::shared_counter count_{};
};

// Chooses the member that owes the fewest answers to requests which this router gave it; of equal ones the first. For
// protocols of requests only: the router does not see when another message has been handled. The answer comes by way of
// an actor of the router's, so a routed request is one message more, and its query is copied. A member that defers a
// request and forgets it counts as owing it for ever. Source of the idea: Akka's smallest mailbox.
struct least_outstanding {};

// Sends copies of each message to all members. A one-shot customer of a request hears the answer that arrives first.
struct broadcast {};

// tact::router<order>(desks, tact::by_key([](const order& m) { return m.customer; }))
//
// Chooses the same member for all messages with the same key, as long as it is a member. `key` is called by const with
// each message of P; it returns an integer, or something else that std::hash takes. When a member comes it takes over
// its share of keys, and no other key moves; when one goes only its own keys move. Each member has `points` places on
// the ring; with more of them the shares are more equal, and a change of members takes longer. A member that leaves and
// comes back is a new one, with other keys. The constructor throws usage_error when there are no points, or more than
// points_max. Source: Karger and others, consistent hashing.
template <class F>
struct by_key {
  explicit by_key(F k, std::size_t points_each = 64) : key(std::move(k)), points(points_each) {
    if (points_each == 0) throw usage_error("tact::by_key: a member without a place on the ring gets no message");
    if (points_each > points_max) {
      throw usage_error("tact::by_key: points_each is " + std::to_string(points_each) +
                        ": each point is made when a member comes; give at most " + std::to_string(points_max));
    }
  }

  // A member with so many points takes 5 MiB, and a fifth of a second to come, in which the router routes nothing.
  static constexpr std::size_t points_max = 65'536;

  F key;
  std::size_t points;
};

}  // namespace tact

#include "tact/detail/end.hpp"  // last
