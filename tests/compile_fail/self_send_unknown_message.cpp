// error: protocol_lacks<withdraw>
#include "account.hpp"

void f(tact::transaction& tx, tact::ref<account> a) {
  tx.send(a, withdraw{1});  // here
}
