// error: continuation_must_return_void<long( int)?>
#include "account.hpp"

void f(tact::transaction& tx) {
  auto customer = tx.beta([](auto&, long cents) { return cents; });  // here
}
