// A race in a small bank: found by tact::explore, shown as the shortest order of events that leads to it, and repaired.
#include <iostream>
#include <stdexcept>
#include <string>

#include "bank.hpp"

namespace {

using hiring = tact::behavior<bank::teller> (*)();

// Two payments of 80 from an account with 100, on any engine: one of them must be refused.
void pay_twice(tact::engine& engine, hiring hire) {
  const auto from = engine.create(bank::open_account(100));
  const auto to = engine.create(bank::open_account(0));
  const auto teller = engine.create(hire());
  for (int i = 0; i < 2; ++i) engine.send(teller, bank::pay{from, to, 80});
  engine.wait_idle();
  const long left = engine.ask(from, bank::balance{});
  if (left < 0) throw std::runtime_error("an account is overdrawn: " + std::to_string(left));
  if (left + engine.ask(to, bank::balance{}) != 100) throw std::runtime_error("money was lost or made");
}

tact::exploration look_for_trouble(hiring hire) {
  return tact::explore(1'000, [hire](tact::simulation& sim) { pay_twice(sim.engine(), hire); }, {.prints = false});
}

}  // namespace

int main() {
  const auto hasty = look_for_trouble(&bank::hire_hasty_teller);
  std::cout << "The hasty teller looks, and pays when the answer has come.\n" << hasty.text() << '\n';

  const auto careful = look_for_trouble(&bank::hire_careful_teller);
  std::cout << "The careful teller leaves both to the account, which does them in one transaction.\n" << careful.text();

  const bool as_it_should_be = hasty.failed && hasty.repeatable && !careful.failed;
  return as_it_should_be ? 0 : 1;
}
