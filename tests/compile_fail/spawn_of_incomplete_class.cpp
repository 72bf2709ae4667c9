// error: protocol_must_be_complete<later>
#include "account.hpp"

class later;
void f(tact::transaction& tx) {
  tx.spawn<later>();  // here
}
