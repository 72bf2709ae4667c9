// Floor of random traffic: lanes and streams by hand.
#include "programs/random.hpp"

#include <vector>

#include "floors/exchange.hpp"

namespace bench {
namespace {

std::vector<exchange::ref> actors;

struct alignas(64) member {
  random_record record;
};

void handle(exchange::thread& on, void* actor, const exchange::message& m) {
  random_record& me = static_cast<member*>(actor)->record;
  ++me.handled;
  if (m.left == 0) {
    ++me.ended;
    return;
  }
  on.send({&handle, actors[me.choice.below(static_cast<std::uint32_t>(actors.size()))], m.left - 1, 0});
}

int run(program& p) {
  const random_setting setting(p);
  const unsigned partitions = read_partitions(p);
  p.ready();
  exchange all(p.threads(), partitions, setting.actors);
  in_runs<member> objects(setting.actors, partitions);
  for (std::uint32_t i = 0; i < setting.actors; ++i) actors.push_back(all.add(&objects.add(random_record(i))));
  for (const exchange::ref to : actors) all.send({&handle, to, setting.rounds, 0});
  stopwatch watch;
  all.run(setting.messages());
  watch.stop();

  std::vector<member> done;
  for (const member* m : objects.all()) done.push_back(*m);
  check_random(p, setting, done);
  return p.report(watch, setting.messages());
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  bench::program p(argc, argv, "Random traffic: each message goes on to an actor chosen at random.",
                   "threads, no runtime");
  return bench::run(p);
}
