// error: reply
#include "account.hpp"

void f(tact::transaction& tx, const tact::request<balance>& m) {
  tx.reply(m, std::string("much"));  // here
}
