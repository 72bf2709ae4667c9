// Repeat on tact.
#include "programs/repeat.hpp"

#include <vector>

#include "programs/engine.hpp"

namespace bench {
namespace {

struct start {};
struct stop {};
class client;
// To a server, and back from it. 16 bytes: such a message lies in one slot of the queue.
struct number {
  tact::ref<client> customer;
  long value;
};
struct text {
  tact::ref<client> customer;
  repeat_text value;
};

class server : public tact::actor<server, number, text, stop> {
 public:
  void receive(tact::self<server>& self, const number& m);
  void receive(tact::self<server>& self, const text& m);
  tact::allocation receive(tact::self<server>&, const stop&) { return tact::allocation::finished; }
};

class client : public tact::actor<client, start, number, text> {
 public:
  client(const repeat_setting& setting, const std::vector<tact::ref<server>>& servers)
      : setting_(setting), servers_(servers) {}

  void receive(tact::self<client>& self, const start&) {
    for (const auto to : servers_) {
      self.send(to, number{self.ref(), 0});
      self.send(to, text{self.ref(), {}});
    }
  }
  tact::allocation receive(tact::self<client>& self, const number& m) {
    record.hear_number(m.value);
    return go_on(self);
  }
  tact::allocation receive(tact::self<client>& self, const text& m) {
    record.hear_text(m.value);
    return go_on(self);
  }
  repeat_record record;

 private:
  tact::allocation go_on(tact::self<client>& self) {
    if (!record.ends_round(setting_)) return tact::allocation::nodelete;
    if (record.rounds != setting_.rounds) {
      self.send(self.ref(), start{});
      return tact::allocation::nodelete;
    }
    for (const auto to : servers_) self.send(to, stop{});
    return tact::allocation::finished;
  }

  const repeat_setting& setting_;
  const std::vector<tact::ref<server>>& servers_;
};

void server::receive(tact::self<server>& self, const number& m) { self.send(m.customer, number{m.customer, 7}); }
void server::receive(tact::self<server>& self, const text& m) {
  self.send(m.customer, text{m.customer, repeat_answer});
}

int run(program& p) {
  const repeat_setting setting(p, 200);
  const auto options = read_engine_options(p);
  p.ready();

  std::vector<server> servers(setting.servers);
  std::vector<tact::ref<server>> refs;
  refs.reserve(servers.size());
  client asks(setting, refs);
  tact::engine engine(options);
  for (server& s : servers) refs.push_back(engine.attach(s));
  const auto to = engine.attach(asks);

  stopwatch watch;
  engine.send(to, start{});
  engine.wait_finished();
  watch.stop();

  check_repeat(p, setting, asks.record);
  p.check_equal(engine.statistics().actors_alive, 0, "actors alive at the end");
  check_engine(p, engine, setting.messages());
  return p.report(watch, setting.messages());
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  bench::program p(argc, argv, "Repeat: one client asks many servers, round after round.", bench::tact_runtime);
  return bench::run(p);
}
