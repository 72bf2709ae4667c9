// error: protocol_lacks<withdraw>
#include "account.hpp"

void f(tact::engine& e, tact::ref<account> a) {
  e.send(a, withdraw{1});  // here
}
