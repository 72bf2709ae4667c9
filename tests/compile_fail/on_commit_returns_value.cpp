// error: continuation_must_return_void<tact::done>
#include "account.hpp"

void f(tact::transaction& tx) {
  tx.on_commit([] { return 1; });  // here
}
