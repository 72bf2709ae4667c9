// Floor of random traffic: lanes and streams by hand.
#include "programs/random.hpp"

#include <deque>

#include "floors/exchange.hpp"

namespace bench {
namespace {

std::uint32_t actors;

struct alignas(64) member {
  explicit member(std::uint64_t number) : record(number) {}
  random_record record;
};

void handle(exchange::thread& on, void* actor, exchange::message& m) {
  random_record& me = static_cast<member*>(actor)->record;
  ++me.handled;
  if (m.left == 0) {
    ++me.ended;
    return;
  }
  on.send({&handle, me.choice.below(actors), 0, m.left - 1, 0});
}

int run(program& p) {
  const random_setting setting(p);
  const unsigned partitions = read_partitions(p);
  p.ready();
  actors = setting.actors;
  exchange all(p.threads(), partitions);
  std::deque<member> objects;
  for (std::uint32_t i = 0; i < actors; ++i) all.add(&objects.emplace_back(i));
  for (std::uint32_t i = 0; i < actors; ++i) all.send({&handle, i, 0, setting.rounds, 0});
  stopwatch watch;
  all.run(setting.messages());
  watch.stop();

  check_random(p, setting, objects);
  return p.report(watch, setting.messages());
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  bench::program p(argc, argv, "Random traffic: each message goes on to an actor chosen at random.",
                   "threads, no runtime");
  return bench::run(p);
}
