// A trace number and a value of the user's go with a task from actor to actor, beside the messages.
#include <string>
#include <tact/tact.hpp>

struct order {};
struct customer {
  std::string name;
};

int main() {
  bool is_known = false;
  tact::engine engine;
  const auto store = engine.create(tact::behavior<order>{[&is_known](auto& self, const order&) {
    const tact::context c = self.context();
    const customer* const who = c.find<customer>();
    is_known = c.trace() == 7 && who != nullptr && who->name == "Ada";
  }});
  const auto desk = engine.create(tact::behavior<order>{[=](auto& self, const order& m) { self.send(store, m); }});
  tact::with_context(tact::context().with_trace(7).with(customer{"Ada"}), [&] { engine.send(desk, order{}); });
  engine.wait_idle();
  return is_known ? 0 : 1;
}
