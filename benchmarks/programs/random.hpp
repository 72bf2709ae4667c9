// Random traffic, for every runtime: each message goes on to an actor chosen at random.
#pragma once

#include <algorithm>
#include <cstdint>

#include "programs/program.hpp"

namespace bench {

struct random_setting {
  explicit random_setting(program& p, std::uint64_t ordinary_messages = 20'000'000)
      : actors(static_cast<std::uint32_t>(p.number("actors", 40'000, 500, "actors, and messages under way"))),
        rounds(std::max<std::uint64_t>(
            p.number("messages", ordinary_messages, 10'000, "messages in all, about") / actors, p.tiny() ? 1 : 0)) {
    p.require(rounds != 0, "--messages is at least --actors");
  }
  // Each that is under way is handled once more than it is sent on.
  [[nodiscard]] std::uint64_t messages() const { return actors * (rounds + 1); }

  std::uint32_t actors;
  std::uint64_t rounds;
};

// Xorshift, Marsaglia 2003: of each actor its own, so that its next message depends on nothing but the last one.
class random_choice {
 public:
  explicit random_choice(std::uint64_t number) : state_(88172645463325252U + number * 0x9e3779b97f4a7c15U) {}
  [[nodiscard]] std::uint32_t below(std::uint32_t bound) {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    state_ ^= state_ << 17;
    return static_cast<std::uint32_t>(((state_ >> 32) * bound) >> 32);
  }

 private:
  std::uint64_t state_;
};

// What an actor keeps between two messages; on a line of its own.
struct random_record {
  explicit random_record(std::uint64_t number) : choice(number) {}
  random_choice choice;
  std::uint64_t handled = 0;
  std::uint64_t ended = 0;  // messages that did not go on
};

// Each of the actors has its `record`.
template <class Actors>
void check_random(program& p, const random_setting& s, const Actors& actors) {
  std::uint64_t handled = 0;
  std::uint64_t ended = 0;
  for (const auto& a : actors) {
    handled += a.record.handled;
    ended += a.record.ended;
  }
  p.check_equal(handled, s.messages(), "messages handled");
  p.check_equal(ended, s.actors, "messages that came to their end");
}

}  // namespace bench
