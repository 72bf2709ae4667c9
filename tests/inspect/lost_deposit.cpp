// The program of docs/inspect/explore_page.md: two tellers who read a balance and write it. Writes the page of a
// failure.
#include <iostream>

#include "tact/inspect/run_page.hpp"
#include "tact/tact.hpp"

namespace {

struct balance {
  using reply = int;
};
struct set_balance {
  int euros;
};
std::ostream& operator<<(std::ostream& out, const set_balance& m) { return out << m.euros << " euros"; }
struct account : tact::protocol<tact::request<balance>, set_balance> {};

tact::behavior<account> open_account(int euros) {
  return {
      [=](auto& self, const tact::request<balance>& m) { self.reply(m, euros); },
      [](auto& self, const set_balance& m) { self.become(open_account(m.euros)); },
  };
}

struct deposit {
  int euros;
};
std::ostream& operator<<(std::ostream& out, const deposit& m) { return out << m.euros << " euros"; }

struct teller : tact::protocol<deposit> {};

tact::behavior<teller> open_teller(tact::ref<account> of) {
  return [=](auto& self, const deposit& m) {
    const int before = self.ask(of, balance{});
    self.send(of, set_balance{before + m.euros});
  };
}

void deposit_twice(tact::simulation& sim) {
  sim.show_messages<account, teller>();
  tact::engine& engine = sim.engine();
  const auto of = engine.create(open_account(100));
  engine.send(engine.create(open_teller(of)), deposit{20});
  engine.send(engine.create(open_teller(of)), deposit{5});
  engine.wait_idle();
  sim.check(engine.ask(of, balance{}) == 125, "a deposit was lost");
}

}  // namespace

int main(int count, char** words) {
  const auto found = tact::inspect::explore(1000, deposit_twice, count > 1 ? words[1] : "failure.html");
  return found.failed ? 0 : 1;
}
