// An actor that puts messages aside until it is connected, and ends when it hears nothing:
// docs/coming_from_akka_classic.md.
#include <chrono>
#include <string>
#include <tact/patterns/stash.hpp>
#include <tact/tact.hpp>
#include <vector>

namespace {

using namespace std::chrono_literals;

struct dial {
  using reply = int;  // the number of the line
};
struct start {};
struct connected {
  int line;
};
struct say {
  std::string text;
};
struct silence {};
struct phone : tact::protocol<start, connected, say, silence> {};

using note = std::vector<std::string>;

tact::behavior<phone> talking(note& heard, int line) {
  return {
      [](auto&, const start&) {},
      [](auto&, const connected&) {},
      [=, &heard](auto& self, const say& m) {
        self.on_commit([&heard, line, text = m.text] { heard.push_back(std::to_string(line) + ": " + text); });
      },
      [](auto& self, const silence&) { self.stop(); },
  };
}

tact::behavior<phone> calling(note& heard, tact::ref<tact::request<dial>> exchange,
                              const tact::stash<phone>& early = {}) {
  return {
      [=](tact::self<phone>& self, const start&) {
        self.ask(
            exchange, dial{}, [me = self.ref()](tact::transaction& tx, int line) { tx.send(me, connected{line}); },
            [me = self.ref()](tact::transaction& tx, const tact::failure&) { tx.send(me, start{}); });
      },
      [=, &heard](tact::self<phone>& self, const connected& m) {
        early.give_back_in_front(self);
        self.idle_after(5min, silence{});
        self.become(talking(heard, m.line));
      },
      [=, &heard](tact::self<phone>& self, const say& m) { self.become(calling(heard, exchange, early.put(self, m))); },
      [](auto&, const silence&) {},
  };
}

}  // namespace

int main() {
  note heard;  // before the simulation, whose actors write it
  tact::simulation sim(1);
  auto& engine = sim.engine();
  const auto exchange = engine.create(
      tact::behavior<tact::request<dial>>([](auto& tx, const tact::request<dial>& m) { tx.reply(m, 7); }));
  const auto a = engine.create(calling(heard, exchange));
  a | say{"one"} | say{"two"} | start{};
  sim.run();
  a | say{"three"};
  sim.advance(4min);
  const bool goes_on = engine.statistics().actors_alive == 2;
  sim.advance(2min);
  const bool ended = engine.statistics().actors_alive == 1;
  return heard == note{"7: one", "7: two", "7: three"} && goes_on && ended ? 0 : 1;
}
