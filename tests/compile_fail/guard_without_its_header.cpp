// error: a program that calls engine.guard includes <tact/guarded.hpp>
#include "account.hpp"

void f(tact::engine& e) {
  auto cents = e.guard(0L);  // here
}
