// error: constructor_does_not_take<teller, withdraw ?&&>
#include "account.hpp"

class teller : public tact::actor<teller, deposit> {
 public:
  explicit teller(int number) : number_(number) {}
  void receive(tact::self<teller>&, const deposit&) {}

 private:
  int number_;
};
void f(tact::transaction& tx) {
  tx.spawn<teller>(tact::heavy, withdraw{1});  // here
}
