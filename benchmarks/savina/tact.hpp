// What the Savina programs on tact share: they run on an engine with threads, or in simulations.
#pragma once

#include "programs/engine.hpp"
#include "savina/parameters.hpp"

namespace bench {

// A Savina program:
//   struct counting {
//     explicit counting(savina_parameters&);            // asks for its parameters
//     std::uint64_t run(tact::engine&);                 // does it, and returns how many messages were handled
//     void check(program&, const tact::statistics&);    // was the result right?
//   };
// It is copied for each simulation. From the making of the engine to its end counts.

template <class Savina>
void check_savina(program& p, Savina& done, const tact::statistics& s, std::uint64_t handled) {
  p.check_equal(s.in_flight(), 0, "messages in flight at the end");
  p.check_equal(s.failures, 0, "handlers that threw");
  p.check_equal(s.commits, handled, "messages handled");
  p.check_equal(s.actors_alive, 0, "actors alive at the end");
  done.check(p, s);
}

template <class Savina>
int main_on_tact(int argc, char** argv, const char* summary) {
  program p(argc, argv, summary, tact_runtime);
  savina_parameters parameters(p);
  Savina prepared(parameters);
  const auto seeds = p.number("seeds", 0, 0, "instead: so many simulations, each with a seed of its own", 0);
  auto options = read_engine_options(p);
  options.dead_letters_kept = 0;
  p.ready();

  std::uint64_t messages = 0;
  stopwatch watch;
  if (seeds == 0) {
    tact::statistics seen;
    {
      tact::engine engine(options);
      messages = prepared.run(engine);
      seen = engine.statistics();
    }
    watch.stop();
    check_savina(p, prepared, seen, messages);
  }
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    Savina one = prepared;
    tact::simulation sim(seed);
    const std::uint64_t handled = one.run(sim.engine(options));
    const tact::statistics seen = sim.engine().statistics();
    sim.end();
    p.check(sim.failure().empty(), sim.failure().c_str());
    check_savina(p, one, seen, handled);
    messages += handled;
  }
  if (seeds != 0) watch.stop();
  return p.report(watch, messages);
}

}  // namespace bench
