// Runs a program in many orders until one fails: two clerks read a number, add 1 and write it, and one of them loses.
#include <tact/tact.hpp>

struct put {
  int number;
};
struct get {
  using reply = int;
};
struct add_one {};
struct cell : tact::protocol<put, tact::request<get>> {};

static tact::behavior<cell> open_cell(int n) {
  return {[](tact::self<cell>& self, const put& m) { self.become(open_cell(m.number)); },
          [=](auto& self, const tact::request<get>& m) { self.reply(m, n); }};
}

static void count_to_two(tact::simulation& sim) {
  const auto number = sim.engine().create(open_cell(0));
  const auto clerk = sim.engine().create(tact::behavior<add_one>{[=](auto& self, const add_one&) {
    self.ask(number, get{}, [=](auto& tx, int n) { tx.send(number, put{n + 1}); });
  }});
  clerk | add_one{} | add_one{};
  sim.run();
  sim.check(sim.engine().ask(number, get{}) == 2, "one of two was lost");
}

int main() {
  const auto found = tact::explore(1'000, count_to_two, {.prints = false});
  return found.failed && found.repeatable && found.what == "one of two was lost" ? 0 : 1;
}
