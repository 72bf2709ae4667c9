// error: the answer is not of the type that the query names
// error: answer_must_be<long( int)?>
#include "account.hpp"

void f(tact::transaction& tx, const tact::request<balance>& m) {
  tx.reply(m);  // here
}
