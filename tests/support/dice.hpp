// Random numbers from a seed.
#pragma once

#include <cstdint>

namespace tact::support {

// A small random number generator that a message can carry.
class dice {
 public:
  explicit constexpr dice(std::uint64_t seed) noexcept : state_(seed) {}
  constexpr std::uint64_t next() noexcept {
    state_ += 0x9E37'79B9'7F4A'7C15;
    std::uint64_t z = state_;
    z = (z ^ z >> 30) * 0xBF58'476D'1CE4'E5B9;
    z = (z ^ z >> 27) * 0x94D0'49BB'1331'11EB;
    return z ^ z >> 31;
  }
  constexpr unsigned below(unsigned bound) noexcept { return static_cast<unsigned>(next() % bound); }

 private:
  std::uint64_t state_;
};

}  // namespace tact::support
