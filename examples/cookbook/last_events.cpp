// An actor that keeps the last events: a reader walks through a version while the actor goes on.
#include <string>
#include <tact/data/queue.hpp>
#include <tact/tact.hpp>

using events = tact::queue<std::string>;

struct event {
  std::string text;
};
struct last_events {
  using reply = events;
};
struct journal : tact::protocol<event, tact::request<last_events>> {};

static tact::behavior<journal> keeping(const events& all, std::size_t most) {
  return {[=](tact::self<journal>& self, const event& m) {
            const events next = all.push_back(m.text);
            self.become(keeping(next.size() > most ? next.pop_front() : next, most));
          },
          [=](auto& self, const tact::request<last_events>& m) { self.reply(m, all); }};
}

int main() {
  tact::engine engine;
  const auto log = engine.create(keeping({}, 1'000));
  for (int i = 0; i < 1'500; ++i) engine.send(log, event{"event " + std::to_string(i)});
  engine.wait_idle();
  const events then = engine.ask(log, last_events{});
  for (int i = 0; i < 5'000; ++i) engine.send(log, event{"later"});
  std::size_t right = 0;
  int number = 500;
  for (const std::string& e : then) {
    if (e == "event " + std::to_string(number++)) ++right;
  }
  return then.size() == 1'000 && right == then.size() ? 0 : 1;
}
