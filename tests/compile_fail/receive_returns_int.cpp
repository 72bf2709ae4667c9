// error: receive_must_return_void_or_allocation<deposit>
#include "account.hpp"

struct teller : tact::actor<teller, deposit> {
  int receive(tact::self<teller>&, const deposit&) { return 1; }
};
void f(tact::transaction& tx) {
  tx.spawn<teller>();  // here
}
