// error: protocol_lacks<.*poison_pill
#include "account.hpp"

void f(tact::engine& e) {
  e.create(tact::behavior<account>{take_deposit, tell_balance, [](auto&, const tact::poison_pill&) {}});  // here
}
