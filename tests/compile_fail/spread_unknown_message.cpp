// error: protocol_lacks<withdraw>
#include "account.hpp"

void f(tact::engine& engine, tact::ref<account> a) {
  engine.send(a, withdraw{}, tact::spread);  // here
}
