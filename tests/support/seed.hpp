// Seeds of random tests: the environment variable TACT_SEED repeats a run, a failing test prints the one it had.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <random>

#include "support/catch.hpp"

namespace tact::support {

// TACT_SEED, or a fresh one; the same for the whole process.
inline std::uint64_t seed() {
  static const std::uint64_t value = [] {
    if (const char* given = std::getenv("TACT_SEED")) return std::uint64_t{std::strtoull(given, nullptr, 0)};
    return std::uint64_t{std::random_device{}()};
  }();
  return value;
}

// A count that the environment may change: schedules to explore, rounds of a stress test.
inline std::uint64_t count_from_environment(const char* variable, std::uint64_t otherwise) {
  const char* given = std::getenv(variable);
  return given ? std::uint64_t{std::strtoull(given, nullptr, 0)} : otherwise;
}

// Schedules that one test case explores; sanitizer builds set fewer.
inline constexpr std::uint64_t schedules_usually = 400'000;
inline std::uint64_t schedules() { return count_from_environment("TACT_SCHEDULES", schedules_usually); }

}  // namespace tact::support

// Declares `name`, the seed of this test, and prints it with every failure in the scope.
#define TACT_SEEDED(name)                             \
  const std::uint64_t name = ::tact::support::seed(); \
  INFO("seed=" << name << " (set TACT_SEED to repeat)")
