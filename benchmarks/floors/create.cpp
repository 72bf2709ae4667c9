// Floor of create: actors come from a free list, a batch of them is alive at a time.
#include "micro/floor_engine.hpp"
#include "programs/program.hpp"

namespace bench {
namespace {

using tact::bench::actor;
using tact::bench::engine;
using tact::bench::envelope;

void end(engine& e, envelope& m) {
  ++e.ended;
  m.to->next = e.free_actors;
  e.free_actors = m.to;
}

// In `spare`: how many it makes.
void make_batch(engine& e, envelope& m) {
  const envelope own = m;
  for (std::uint64_t i = 0; i < own.spare; ++i) {
    actor* made = e.free_actors;
    if (made == nullptr) {
      made = new actor;
    } else {
      e.free_actors = made->next;
    }
    e.lane.push({&end, made, i, 0});
  }
  if (own.left != 1) e.lane.push({own.handler, own.to, own.left - 1, own.spare});
}

int run(program& p) {
  const auto batch = p.number("batch", 1000, 10, "actors made by one message");
  const auto batches = p.number("batches", 100'000, 100, "times that it does so");
  p.ready();
  p.require(p.threads() == 1, "--threads is 1: there is one thread");

  engine e;
  actor maker;
  stopwatch watch;
  e.lane.push({&make_batch, &maker, batches, batch});
  tact::bench::run_direct(e);
  watch.stop();

  p.check_equal(e.ended, batch * batches, "actors ended");
  tact::bench::free_actors(e);
  return p.report(watch, batch * batches);
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  bench::program p(argc, argv, "Create: one actor makes others; each gets one message, and ends.",
                   "one thread, no runtime");
  return bench::run(p);
}
