// What the actors of the Savina suite do so that they do something.
#pragma once

#include <cmath>
#include <stdexcept>

namespace bench {

// The sine of a number that the compiler cannot know, squared.
inline void savina_sine() {
  volatile double given = 37.2;
  const double s = std::sin(given);
  if (!(s * s > 0)) throw std::logic_error("the sine of 37.2 is 0");
}

}  // namespace bench
