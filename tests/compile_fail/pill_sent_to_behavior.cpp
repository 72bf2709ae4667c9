// error: a_narrowed_ref_cannot_kill
#include "account.hpp"

void f(tact::transaction& tx, tact::ref<account> a) {
  tx.send(a, tact::delete_msg);  // here
}
