// Sends messages to an actor, by a thread and by another actor.
#include <string>
#include <tact/tact.hpp>

struct greeting {
  std::string text;
};

int main() {
  int heard = 0;
  tact::engine engine;
  const auto listener = engine.create(
      tact::behavior<greeting>{[&heard](auto&, const greeting& m) { heard += m.text == "hello" ? 1 : 0; }});
  const auto relay =
      engine.create(tact::behavior<greeting>{[=](auto& self, const greeting& m) { self.send(listener, m); }});
  engine.send(listener, greeting{"hello"});
  relay | greeting{"hello"} | greeting{"goodbye"};
  engine.wait_idle();
  return heard == 2 ? 0 : 1;
}
