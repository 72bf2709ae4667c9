// The numbers that the sorting programs of the Savina suite sort.
#pragma once

#include <algorithm>
#include <vector>

#include "programs/program.hpp"
#include "savina/random.hpp"

namespace bench {

using numbers = std::vector<std::uint64_t>;

// The suite takes them below 2^60, and gets them below 2^16 from its generator.
inline constexpr unsigned number_bits = 60;

class number_source {
 public:
  std::uint64_t next() { return dice_.below(std::uint64_t{1} << number_bits); }

 private:
  savina_random dice_{2048};
};

inline numbers random_numbers(std::uint64_t count) {
  numbers all(count);
  number_source source;
  for (auto& n : all) n = source.next();
  return all;
}

inline void check_sorted(program& p, const numbers& found, std::uint64_t count) {
  auto expected = random_numbers(count);
  std::sort(expected.begin(), expected.end());
  p.check_equal(found.size(), count, "numbers that arrived");
  p.check(found == expected, "the numbers, sorted");
}

}  // namespace bench
