// error: list_poison_pill_in_the_protocol_or_use_a_wider_ref<account>
#include "account.hpp"

void f(tact::transaction& tx, tact::ref<account> a) {
  tx.send(a, tact::delete_msg);  // here
}
