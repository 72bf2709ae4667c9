// error: protocol_lacks<withdraw>
#include "account.hpp"

void f(tact::transaction& tx, tact::ref<account> a, const withdraw& m) {
  tx.pass_on(a, m);  // here
}
