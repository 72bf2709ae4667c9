// Floor of dynamic send: actors come from a free list, on which the one that ends is put back at once.
#include "micro/floor_engine.hpp"
#include "programs/program.hpp"

namespace bench {
namespace {

int run(program& p) {
  const auto sends = p.number("sends", 100'000'000, 10'000, "actors made by actors");
  p.ready();
  p.require(p.threads() == 1, "--threads is 1: there is one thread");

  tact::bench::engine engine;
  stopwatch watch;
  engine.lane.push({&tact::bench::make_next, new tact::bench::actor, sends, 0});
  tact::bench::run_direct(engine);
  watch.stop();

  p.check_equal(engine.ended, sends + 1, "actors ended");
  tact::bench::free_actors(engine);
  return p.report(watch, sends + 1);
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  bench::program p(argc, argv, "Dynamic send: each actor makes the next one, and ends.", "one thread, no runtime");
  return bench::run(p);
}
