// error: a classic actor has no behaviour to replace
#include "account.hpp"

struct teller : tact::actor<teller, deposit> {
  void receive(tact::self<teller>& self, const deposit&) {
    self.become(5);  // here
  }
};
