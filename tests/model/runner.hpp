// Plays a program on an engine, and brings back what was seen.
#pragma once

#include <functional>
#include <vector>

#include "model/node.hpp"

namespace tact::model {

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
// REQUIRES: the engine of the stage has those options.
[[nodiscard]] history play(const program&, stage&, recorder&, mistake);

// On real threads.
[[nodiscard]] history play_on_threads(const program&, mistake = mistake::none);

}  // namespace tact::model
