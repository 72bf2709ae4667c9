// error: continuation_takes_transaction_first<long( int)?>
// once
#include "account.hpp"

void f(tact::transaction& tx, tact::ref<account> a) {
  tx.ask(a, balance{}, [](long) {});  // here
}
