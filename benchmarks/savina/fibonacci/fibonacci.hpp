// What the programs of fibonacci share: the number, and how many actors and messages it takes.
#pragma once

#include <utility>

#include "savina/parameters.hpp"

namespace bench {

constexpr std::uint64_t fibonacci_number(std::uint64_t n) {
  std::uint64_t last = 0;
  std::uint64_t next = 1;
  for (; n > 0; --n) last = std::exchange(next, last + next);
  return last;
}
static_assert(fibonacci_number(25) == 75'025 && fibonacci_number(34) == 5'702'887);

// One for each call of the recursion, which ends at the first and the second number.
constexpr std::uint64_t fibonacci_actors(std::uint64_t n) { return 2 * fibonacci_number(n) - 1; }
static_assert(fibonacci_actors(25) == 150'049 && fibonacci_actors(34) == 11'405'773);

// Each is asked once, and answers once.
constexpr std::uint64_t fibonacci_messages(std::uint64_t n) { return 2 * fibonacci_actors(n); }

struct fibonacci_parameters {
  explicit fibonacci_parameters(savina_parameters& p) : n(p.number("number", {25, 34, 10}, "which Fibonacci number")) {}
  void check_result(program& p, std::uint64_t found) const { p.check_equal(found, fibonacci_number(n), "the number"); }

  std::uint64_t n;
};

}  // namespace bench
