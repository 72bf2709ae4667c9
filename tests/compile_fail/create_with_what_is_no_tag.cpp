// error: behind the behaviour stand tags only
#include "account.hpp"

void f(tact::transaction& tx, tact::behavior<account> b) {
  auto a = tx.create(std::move(b), tact::heavy, 5);  // here
}
