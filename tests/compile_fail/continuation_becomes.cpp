// error: no member named 'become'|has no member named .become.
#include "account.hpp"

void f(tact::transaction& tx) {
  auto r = tx.beta([](tact::transaction& then, long) {
    then.become(5);  // here
  });
  r | 1L;
}
