// error: continuation_must_return_void<long( int)?>
#include "account.hpp"

void f(tact::transaction& tx, tact::ref<account> a) {
  tx.ask(a, balance{}, [](auto&, long cents) { return cents; });  // here
}
