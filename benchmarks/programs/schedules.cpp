// Schedules: how fast the explorer of the tests tries them, on the shard word. A message is a schedule.
#include "programs/program.hpp"
#include "schedule/shard_office.hpp"

namespace bench {
namespace {

using tact::schedule::bare::one_shard;
using tact::schedule::bare::two_shards;

template <class Scenario>
tact::explorer::result explore(const tact::explorer::options& o) {
  return tact::explorer::explore(o, [] { return std::make_unique<Scenario>(); });
}

// Does it look? With a fault planted a failure is found.
template <class Scenario>
void check_finds(program& p, std::uint64_t seed, tact::sync::fault planted) {
  tact::explorer::options o;
  o.seed = seed;
  o.fault = planted;
  p.check_equal(explore<Scenario>(o).failures, 1, "planted faults that were found");
}

int run(program& p) {
  const bool two = p.choice("shards", {"one", "two"}, "two: the first hands everything on to the other") == "two";
  tact::explorer::options o;
  o.schedules = p.number("schedules", 400'000, 1000, "schedules tried");
  o.seed = p.number("seed", 1, 1, "of the first");
  p.ready();
  p.require(p.threads() == 1, "--threads is 1: the explorer has one thread");

  stopwatch watch;
  const tact::explorer::result r = two ? explore<two_shards>(o) : explore<one_shard>(o);
  watch.stop();

  p.check_equal(r.schedules, o.schedules, "schedules that were run");
  p.check_equal(r.failures, 0, "schedules that broke the shard word");
  check_finds<one_shard>(p, o.seed, tact::sync::fault::release_without_recheck);
  check_finds<two_shards>(p, o.seed, tact::sync::fault::foreign_lane);
  p.say("operations", std::to_string(r.steps));
  p.say("per_second", std::to_string(static_cast<std::uint64_t>(static_cast<double>(r.schedules) / watch.seconds())));
  return p.report(watch, r.schedules);
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  bench::program p(argc, argv, "Schedules: how fast the tests' explorer tries them.", "the explorer");
  return bench::run(p);
}
