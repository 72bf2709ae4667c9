// error: who calls engine.guard includes <tact/guarded.hpp>
#include "account.hpp"

void f(tact::engine& e) {
  auto cents = e.guard(0L);  // here
}
