// error: tact::restarting takes a function without arguments that returns a tact::behavior<P>
// once
#include "account.hpp"

void f(tact::engine& e) {
  e.create(tact::restarting([] { return 0L; }));  // here
}
