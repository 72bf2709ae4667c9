// tact::supervision: how a tact::supervisor restarts its children.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <chrono>
#include <cstdint>
#include <iosfwd>
#include <string>

namespace tact {

// Which children are restarted when one of them has failed. Source of the idea: Erlang/OTP.
enum class restart_strategy : unsigned char {
  one_for_one,   // that one
  one_for_all,   // all of them
  rest_for_one,  // that one, and those that were started after it
};
std::ostream& operator<<(std::ostream&, restart_strategy);

// How a supervisor restarts its children.
struct supervision {
  restart_strategy strategy = restart_strategy::one_for_one;
  // How many restarts there may be `within` that time; with the next failure in it the supervisor itself fails. Each
  // restart within the time is remembered, in 8 bytes.
  unsigned restarts = 3;
  std::chrono::nanoseconds within = std::chrono::seconds(5);
  // How long a child rests before it is restarted; at least a millisecond when it could not be made anew. With each
  // further restart `within` the time the delay is multiplied by `factor`, up to `delay_max`. Of each delay a random
  // part is taken off, `jitter` of it at most, so that what has failed together does not come back together; `seed`
  // decides the random parts.
  std::chrono::nanoseconds first_delay{0};
  double factor = 2;
  std::chrono::nanoseconds delay_max = std::chrono::minutes(1);
  double jitter = 0;
  std::uint64_t seed = 0;
  std::string name{};  // for people
};
std::ostream& operator<<(std::ostream&, const supervision&);

}  // namespace tact

#include "tact/detail/end.hpp"  // last
