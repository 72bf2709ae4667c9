// error: shadow
// flags: -Werror=shadow
// once
#include "account.hpp"

const int limit = 1;
long f(tact::transaction& tx, tact::ref<account> a) {
  long limit = 2;  // here
  tx.send(a, deposit{limit});
  return limit;
}
