// error: no_receive_for<deposit>
#include "account.hpp"

class teller : public tact::actor<teller, deposit> {
  void receive(tact::self<teller>&, const deposit&) {}
};
void f(tact::engine& e, teller& t) {
  e.attach(t);  // here
}
