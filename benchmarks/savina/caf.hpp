// What the Savina programs on CAF share.
#pragma once

#include "peers/caf/system.hpp"
#include "savina/parameters.hpp"

namespace bench {

// As on tact, but for the system: `std::uint64_t run(caf::actor_system&)`, which returns how many messages were handled
// when all actors are done, and `void check(program&)`.
template <class Savina>
int main_on_caf(int argc, char** argv, const char* summary) {
  program p(argc, argv, summary, caf_runtime());
  savina_parameters parameters(p);
  Savina one(parameters);
  caf_options options(p);
  p.ready();
  stopwatch watch;
  std::uint64_t messages;
  {
    caf::actor_system system(options);
    messages = one.run(system);
  }
  watch.stop();
  one.check(p);
  return p.report(watch, messages);
}

}  // namespace bench
