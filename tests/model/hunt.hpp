// Random programs, one after the other, each held against the laws. One that breaks a law is made small.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "model/runner.hpp"

namespace tact::model {

// Where the programs are played.
struct ground {
  // What the program does not decide is decided by the seed, as far as it can. `told`, if any, gets a trace.
  std::function<history(const program&, std::uint64_t seed, mistake, std::string* told)> play;
  unsigned orders = 1;    // each program is played under so many seeds
  unsigned attempts = 1;  // to see a smaller program fail
  bool has_seed = false;
  unsigned scenarios = 30;  // for how many of them it may take its time
};
// A failure there may need luck to be seen again, and one that is a hang takes its time.
[[nodiscard]] ground on_real_threads();
// TACT_ORDERS: in how many orders each program is played.
[[nodiscard]] ground in_simulations();

[[nodiscard]] unsigned workers_of(std::uint64_t seed) noexcept;
// The program of that seed; `cancels`: the first thread cancels the engine at the end of what it does.
[[nodiscard]] program random_program(std::uint64_t seed, bool cancels);

// What all programs together did: they are of no use if they never come to the point.
struct coverage {
  std::uint64_t plays = 0, messages = 0, created = 0, failures = 0, dead = 0, collisions = 0, forwarded = 0, stolen = 0;

  void add(const statistics& s) noexcept;
};

// Plays programs; the nth one has seed + n. As many as the environment says, TACT_PROGRAMS, and otherwise for as long
// as the schedules of so many scenarios are explored. Prints what they did; fails the test with a small program where a
// law is broken.
coverage hunt(const ground&, std::uint64_t seed, bool cancels);

// A program that breaks a law.
struct finding {
  program small;
  std::uint64_t seed = 0;  // under which it does
  std::vector<std::string> wrong{};
  std::string told{};
};
// The smallest that was found, beginning with the program of `program_seed`, which did so under `seed`.
[[nodiscard]] finding make_small(const ground&, std::uint64_t program_seed, bool cancels, std::uint64_t seed,
                                 mistake = mistake::none);
// For people, beginning with what repeats it. `order`: the seed of it is program_seed + order.
[[nodiscard]] std::string text_of(const finding&, const ground&, std::uint64_t program_seed, unsigned order);

struct broken_law {
  mistake wrong;
  const char* law;
};
inline constexpr std::array<broken_law, 7> broken_laws{{
    {mistake::counts_in_handler, "law 1"},
    {mistake::sends_before_it_throws, "law 1"},
    {mistake::becomes_what_it_was, "law 2"},
    {mistake::sends_twice, "law 4"},
    {mistake::forgets_to_send, "law 4"},
    {mistake::sends_backwards, "law 5"},
    {mistake::keeps_quiet, "law 8"},
}};
// After how many programs it is found that the actors make that mistake; 0: it is not.
[[nodiscard]] unsigned programs_until_found(const ground&, std::uint64_t seed, const broken_law&);

}  // namespace tact::model
