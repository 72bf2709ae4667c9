// error: create takes what makes the behaviour of a restartable actor: create\(tact::restarting\(
// once
#include "account.hpp"

void f(tact::engine& e) {
  auto a = e.create(tact::behavior<account>{take_deposit, tell_balance}, tact::restartable);  // here
}
