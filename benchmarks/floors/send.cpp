// Floor of send: a ring of actors of the ideal engine of one thread.
#include "micro/floor_engine.hpp"
#include "programs/program.hpp"

namespace bench {
namespace {

int run(program& p) {
  const auto variant = p.choice("variant", {"classic", "transactional", "becoming"}, "the actors");
  const auto actors = p.number("actors", 64, 8, "actors, each with a token");
  const auto each = p.number("hops", 2'000'000, 1000, "messages of a token");
  p.ready();
  p.require(p.threads() == 1, "--threads is 1: there is one thread");

  tact::bench::engine engine;
  auto ring = tact::bench::make_ring(actors);
  const bool becoming = variant == "becoming";
  for (auto& a : ring) {
    if (becoming) a.word.store(new tact::bench::closure{&tact::bench::count_and_pass_on, 0, nullptr});
  }
  stopwatch watch;
  for (auto& a : ring) engine.lane.push({becoming ? nullptr : &tact::bench::pass_on, &a, each - 1, 0});
  if (variant == "classic") tact::bench::run_direct(engine);
  if (variant == "transactional") tact::bench::run_staged(engine);
  if (becoming) tact::bench::run_becoming(engine);
  watch.stop();

  std::uint64_t handled = 0;
  for (const auto& a : ring) handled += becoming ? a.word.load()->handled : a.handled;
  p.check_equal(handled, actors * each, "messages handled");
  for (auto& a : ring) delete a.word.load();
  tact::bench::free_closures(engine);
  return p.report(watch, actors * each);
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  bench::program p(argc, argv, "Send: tokens go round a ring of actors.", "one thread, no runtime");
  return bench::run(p);
}
