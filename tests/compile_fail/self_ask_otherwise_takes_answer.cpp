// error: otherwise_must_take_failure
// once
#include "account.hpp"

void f(tact::transaction& tx, tact::ref<account> a, void (*then)(tact::transaction&, long), void (*otherwise)(long*)) {
  tx.ask(a, balance{}, then, otherwise);  // here
}
