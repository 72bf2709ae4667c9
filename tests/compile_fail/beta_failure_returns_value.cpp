// error: continuation_must_return_void<tact::failure>
#include "account.hpp"

void f(tact::transaction& tx) {
  auto customer = tx.beta([](auto&, long) {}, [](auto&, const tact::failure&) { return 1; });  // here
}
