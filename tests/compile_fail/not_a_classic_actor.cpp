// error: not_a_classic_actor
#include "account.hpp"

void f(tact::engine& e) {
  e.spawn<account>();  // here
}
