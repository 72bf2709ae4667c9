// Seeds of random tests: the environment variable TACT_SEED repeats a run, a failing test prints the one it had.
#pragma once

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <optional>
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

// A count that the environment may change: schedules to explore, random programs.
inline std::uint64_t count_from_environment(const char* variable, std::uint64_t otherwise) {
  const char* given = std::getenv(variable);
  return given ? std::uint64_t{std::strtoull(given, nullptr, 0)} : otherwise;
}

// How many schedules of each scenario are explored: so many, when the environment says a number, and otherwise as many
// as so much processor time allows. A slow machine, or a sanitizer, explores fewer; it does not take longer.
inline std::optional<std::uint64_t> schedules_asked_for() {
  if (std::getenv("TACT_SCHEDULES") == nullptr) return {};
  return count_from_environment("TACT_SCHEDULES", 0);
}
inline std::chrono::milliseconds exploring_time() {
  return std::chrono::milliseconds(count_from_environment("TACT_EXPLORE_MS", 200));
}

}  // namespace tact::support

// Declares `name`, the seed of this test, and prints it with every failure in the scope.
#define TACT_SEEDED(name)                             \
  const std::uint64_t name = ::tact::support::seed(); \
  INFO("seed=" << name << " (set TACT_SEED to repeat)")
