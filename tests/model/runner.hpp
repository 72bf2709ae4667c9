// Plays a program on an engine, and brings back what was seen.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "model/node.hpp"
#include "support/engine_fixture.hpp"

namespace tact::model {

// A wait that only a fault lets pass: a program takes milliseconds. A small program is found by waiting often.
inline constexpr std::chrono::seconds patience{support::sanitized ? 30 : 10};

// Where a program is played: an engine, threads, and how to wait until nothing is left to do. Another kind of engine
// needs another of these, and nothing else.
class stage {
 public:
  virtual ~stage() = default;
  [[nodiscard]] virtual engine& house() = 0;
  // All of them, at the same time.
  virtual void run(std::vector<std::function<void()>> threads) = 0;
  // False: it takes too long.
  [[nodiscard]] virtual bool settle() = 0;
};

// The options of the program, with reports that go to the recorder.
[[nodiscard]] engine_options options_of(const program&, recorder&);
// REQUIRES: the engine of the stage has those options, and ends before the world.
[[nodiscard]] history play(world&, stage&);

// On real threads.
[[nodiscard]] history play_on_threads(const program&, mistake = mistake::none, const spectator& = {});
// In a simulation of that seed; `told` gets its trace.
[[nodiscard]] history play_in_simulation(const program&, std::uint64_t seed, mistake = mistake::none,
                                         std::string* told = nullptr, const spectator& = {});

}  // namespace tact::model
