// The random numbers of the Savina suite, which its programs' expected results depend on.
#pragma once

#include <cstdint>

namespace bench {

// Period 65536 for every seed, and the lowest bit alternates: not random enough for anything else.
class savina_random {
 public:
  static constexpr std::uint64_t usual_seed = 74'755;

  explicit constexpr savina_random(std::uint64_t seed = usual_seed) : value_(seed) {}
  constexpr std::uint64_t next() { return value_ = (1309 * value_ + 13849) & 65535; }
  constexpr std::uint64_t below(std::uint64_t end) { return next() % end; }
  // In (0, 1], and mostly tiny.
  constexpr double real() { return 1.0 / static_cast<double>(next() + 1); }

 private:
  std::uint64_t value_;
};

static_assert([](savina_random r) { return r.next() == 22'896 && r.next() == 34'761; }(savina_random()));

}  // namespace bench
