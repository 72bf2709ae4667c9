// error: a narrowed one cannot kill
#include "account.hpp"

void f(tact::transaction& tx, tact::ref<account> a) {
  tx.send(a, tact::delete_msg);  // here
}
