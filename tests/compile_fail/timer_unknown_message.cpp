// error: protocol_lacks<withdraw>
#include "account.hpp"

void f(tact::transaction& tx, tact::ref<account> a) {
  tx.send_after(std::chrono::seconds(1), a, withdraw{1});  // here
}
