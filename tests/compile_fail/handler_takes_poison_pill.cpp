// error: the_engine_handles_poison_pill
#include "account.hpp"

struct endable : tact::protocol<deposit, tact::poison_pill> {};
void f(tact::engine& e) {
  e.create(tact::behavior<endable>{take_deposit, [](auto&, const tact::poison_pill&) {}});  // here
}
