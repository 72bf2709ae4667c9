// What becomes of an actor whose handler throws: one goes on, one ends; the program hears of both.
#include <atomic>
#include <stdexcept>
#include <tact/tact.hpp>

struct ping {
  using reply = int;
};
struct bad {};
struct service : tact::protocol<bad, tact::request<ping>> {};

static tact::behavior<service> open_service() {
  return {[](auto&, const bad&) { throw std::runtime_error("bad"); },
          [](auto& self, const tact::request<ping>& m) { self.reply(m, 1); }};
}

int main() {
  std::atomic<int> reports = 0;
  tact::engine engine({.on_failure = [&](const tact::failure_report& r) { reports += r.what == "bad" ? 1 : 0; }});
  const auto tough = engine.create(open_service());
  const auto frail = engine.create(open_service(), tact::failure_rule(tact::failure_policy::end));
  engine.send(tough, bad{});
  engine.send(frail, bad{});
  engine.wait_idle();
  if (engine.ask(tough, ping{}) != 1) return 1;
  try {
    return engine.ask(frail, ping{});
  } catch (const tact::ask_error& e) {
    return e.reason() == tact::failure_reason::target_ended && reports == 2 ? 0 : 1;
  }
}
