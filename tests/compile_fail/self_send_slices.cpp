// error: message_would_be_sliced<large_deposit>
#include "account.hpp"

struct large_deposit : deposit {
  long limit;
};
void f(tact::transaction& tx, tact::ref<deposit> a) {
  tx.send(a, large_deposit{});  // here
}
