// error: destructor_is_not_public<teller>
#include "account.hpp"

class teller : public tact::actor<teller, deposit> {
 public:
  void receive(tact::self<teller>&, const deposit&) {}

 private:
  ~teller() = default;
};
void f(tact::transaction& tx) {
  tx.spawn<teller>();  // here
}
