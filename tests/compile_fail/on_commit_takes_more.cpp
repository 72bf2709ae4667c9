// error: continuation_must_take<tact::done>
#include "account.hpp"

void f(tact::transaction& tx) {
  tx.on_commit([](int) {});  // here
}
