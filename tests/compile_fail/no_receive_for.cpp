// error: no_receive_for<(tact::)?request<balance> ?>
#include "account.hpp"

struct teller : tact::actor<teller, deposit, tact::request<balance>> {
  void receive(tact::self<teller>&, const deposit&) {}
};
void f(tact::engine& e) {
  e.spawn<teller>();  // here
}
