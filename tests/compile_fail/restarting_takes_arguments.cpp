// error: tact::restarting takes a function without arguments that returns a tact::behavior<P>
// once
#include "account.hpp"

void f(tact::engine& e) {
  const tact::restarting makes([](long) { return tact::behavior<account>{take_deposit, tell_balance}; });
  e.create(makes, tact::heavy, tact::failure_rule(tact::failure_policy::restart));  // here
}
