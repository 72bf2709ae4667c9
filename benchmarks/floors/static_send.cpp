// Floor of static send: one actor of the ideal engine of one thread.
#include "micro/floor_engine.hpp"
#include "programs/program.hpp"

namespace bench {
namespace {

int run(program& p) {
  const auto variant = p.choice("variant", {"classic", "transactional"}, "the actor");
  const auto sends = p.number("sends", 100'000'000, 10'000, "times that it sends");
  p.ready();
  p.require(p.threads() == 1, "--threads is 1: there is one thread");

  tact::bench::engine engine;
  auto ring = tact::bench::make_ring(1);
  stopwatch watch;
  engine.lane.push({&tact::bench::pass_on, &ring[0], sends, 0});
  if (variant == "classic") tact::bench::run_direct(engine);
  if (variant == "transactional") tact::bench::run_staged(engine);
  watch.stop();

  p.check_equal(ring[0].handled, sends + 1, "messages handled");
  return p.report(watch, sends + 1);
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  bench::program p(argc, argv, "Static send: one actor sends one message to itself.", "one thread, no runtime");
  return bench::run(p);
}
