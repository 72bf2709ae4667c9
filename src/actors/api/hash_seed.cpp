// Implements the seed of hash tables.
#include <sys/random.h>

#include <chrono>
#include <cstdint>

#include "sync/system.hpp"
#include "tact/data/detail/hash_table.hpp"

namespace tact::detail {

namespace {

std::uint64_t chosen_by_chance() noexcept {
  std::uint64_t seed = 0;
  if (getrandom(&seed, sizeof seed, GRND_NONBLOCK) == sizeof seed) return seed;
  // The machine has only just started. Where it has put this process, and when, is chance enough meanwhile.
  const auto now = std::chrono::steady_clock::now().time_since_epoch().count();
  return mix_hash(static_cast<std::uint64_t>(now), reinterpret_cast<std::uintptr_t>(&seed));
}

}  // namespace

std::uint64_t hash_seed() noexcept {
  static const std::uint64_t of_this_process = chosen_by_chance();
  return sync::system::current() != nullptr ? 0 : of_this_process;
}

}  // namespace tact::detail
