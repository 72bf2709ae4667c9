// Thread ring on tact.
#include "programs/thread_ring.hpp"

#include <vector>

#include "programs/engine.hpp"

namespace bench {
namespace {

class node;
struct data {
  tact::ref<node> next;
};
struct ping {
  std::uint64_t left;
};
struct exit {
  std::uint64_t left;
};

class node : public tact::actor<node, data, ping, exit> {
 public:
  void receive(tact::self<node>&, const data& m) { next_ = m.next; }
  void receive(tact::self<node>& self, const ping& m) {
    ++record.pings;
    if (m.left != 0) return self.send(next_, ping{m.left - 1});
    record.last_ping = true;
    self.send(next_, exit{actors});
  }
  // The originator hands its last exit to an actor that has ended: a dead letter, as it is meant.
  tact::allocation receive(tact::self<node>& self, const exit& m) {
    ++record.exits;
    if (m.left != 0) self.send(next_, exit{m.left - 1});
    return tact::allocation::finished;
  }
  thread_ring_record record;
  std::uint64_t actors = 0;

 private:
  tact::ref<node> next_;
};

int run(program& p) {
  const thread_ring_setting setting(p, 20'000'000, 500'000);
  auto options = read_engine_options(p);
  options.dead_letters_kept = 0;
  p.ready();

  std::vector<node> nodes(setting.actors);
  std::vector<tact::ref<node>> refs;
  tact::engine engine(options);
  for (node& n : nodes) {
    n.actors = setting.actors;
    refs.push_back(engine.attach(n));
  }

  stopwatch watch;
  for (std::size_t i = 0; i < refs.size(); ++i) engine.send(refs[i], data{refs[(i + 1) % refs.size()]});
  engine.wait_idle();  // no order is promised between these and a token that comes by way of another actor
  engine.send(refs[0], ping{setting.hops});
  engine.wait_finished();
  watch.stop();

  check_thread_ring(p, setting, [&](std::size_t i) -> const thread_ring_record& { return nodes[i].record; });
  const tact::statistics s = engine.statistics();
  p.check_equal(s.commits, setting.messages(), "messages committed");
  p.check_equal(s.dead_letters, 1, "dead letters");
  p.check_equal(s.failures, 0, "handlers that threw");
  return p.report(watch, setting.messages());
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  bench::program p(argc, argv, "Thread ring: a token goes round a ring of actors.", bench::tact_runtime);
  return bench::run(p);
}
