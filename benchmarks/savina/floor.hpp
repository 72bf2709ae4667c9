// What the Savina programs written without a runtime share.
#pragma once

#include "savina/parameters.hpp"

namespace bench {

// As on tact, but for the engine: `std::uint64_t run()`, which returns how many messages the programs with actors would
// handle for this, and `void check(program&)`. One thread, whatever --threads says.
template <class Savina>
int main_without_runtime(int argc, char** argv, const char* summary) {
  program p(argc, argv, summary, "one thread");
  savina_parameters parameters(p);
  Savina one(parameters);
  p.ready();
  stopwatch watch;
  const std::uint64_t messages = one.run();
  watch.stop();
  one.check(p);
  return p.report(watch, messages);
}

}  // namespace bench
