// error: the first argument of reply is the request
// error: not_a_request<deposit>
#include "account.hpp"

void f(tact::transaction& tx, const deposit& m) {
  tx.reply(m, 1);  // here
}
