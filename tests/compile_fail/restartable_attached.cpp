// error: an attached object is yours, and the engine cannot make it anew: spawn a restartable actor
// once
#include "account.hpp"

class teller : public tact::actor<teller, deposit> {
 public:
  void receive(tact::self<teller>&, const deposit&) {}
};

void f(tact::engine& e, teller& t) {
  e.attach(t, tact::restartable);  // here
}
