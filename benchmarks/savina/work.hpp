// What the actors of the Savina suite do so that they do something.
#pragma once

#include <cmath>
#include <stdexcept>

#include "savina/random.hpp"

namespace bench {

// The sine of a number that the compiler cannot know, squared.
inline void savina_sine() {
  volatile double given = 37.2;
  const double s = std::sin(given);
  if (!(s * s > 0)) throw std::logic_error("the sine of 37.2 is 0");
}

// So many random numbers for nothing. The suite draws them from a generator that all threads share; here each actor has
// its own, so that the time is the actor's and not that of a contended line.
inline void savina_spin(savina_random& dice, std::uint64_t draws) {
  for (std::uint64_t i = 0; i < draws; ++i) dice.next();
  volatile std::uint64_t sink = dice.next();
  static_cast<void>(sink);
}

}  // namespace bench
