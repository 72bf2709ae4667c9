// What the runtimes of chameneos share.
#pragma once

#include <cstdint>

namespace bench {

enum class colour : std::uint8_t { red, yellow, blue, faded };

// What a creature turns to that meets another.
constexpr colour complement(colour a, colour b) {
  if (a == colour::faded || b == colour::faded) return colour::faded;
  if (a == b) return a;
  return static_cast<colour>(3 - static_cast<int>(a) - static_cast<int>(b));
}

}  // namespace bench
