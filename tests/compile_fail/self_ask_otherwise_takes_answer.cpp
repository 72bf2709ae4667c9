// error: otherwise_must_take_failure
// once
#include "account.hpp"

void f(tact::transaction& tx, tact::ref<account> a, void (*otherwise)(long*)) {
  tx.ask(
      a, balance{}, [](auto&, long) {}, otherwise);  // here
}
