// Asks an actor, gets an answer, and hears why there is none.
#include <stdexcept>
#include <tact/tact.hpp>

struct divide {
  using reply = int;
  int a;
  int b;
};

int main() {
  tact::engine engine({.on_failure = [](const tact::failure_report&) {}});
  const auto divider =
      engine.create(tact::behavior<tact::request<divide>>{[](auto& self, const tact::request<divide>& m) {
        if (m.body.b == 0) throw std::invalid_argument("divide: by zero");
        self.reply(m, m.body.a / m.body.b);
      }});
  if (engine.ask(divider, divide{42, 6}) != 7) return 1;
  try {
    return engine.ask(divider, divide{1, 0});
  } catch (const tact::ask_error& e) {
    return e.reason() == tact::failure_reason::handler_threw ? 0 : 1;
  }
}
