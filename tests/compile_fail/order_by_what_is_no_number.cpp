// error: tact: the function of tact::by_priority returns a whole number or an enum
#include "account.hpp"

void f(tact::engine& engine, tact::behavior<account> b) {
  const auto by_amount = [](const deposit& m) { return static_cast<double>(m.cents); };
  static_cast<void>(engine.create(std::move(b), tact::by_priority(by_amount)));  // here
}
