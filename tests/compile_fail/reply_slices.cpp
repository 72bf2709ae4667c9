// error: message_would_be_sliced<large_deposit>
#include "account.hpp"

struct quote {
  using reply = deposit;
};
struct large_deposit : deposit {
  long limit;
};
void f(tact::transaction& tx, const tact::request<quote>& m) {
  tx.reply(m, large_deposit{});  // here
}
