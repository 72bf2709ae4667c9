// error: made from constant copies of the arguments, which its constructor must take: const T& or T; wrap in std::ref
// once
#include "account.hpp"

class teller : public tact::actor<teller, deposit> {
 public:
  explicit teller(long& cents) : cents_(&cents) {}
  void receive(tact::self<teller>&, const deposit& m) { *cents_ += m.cents; }

 private:
  long* cents_;
};

void f(tact::engine& e, long& cents) {
  e.spawn<teller>(tact::restartable, cents);  // here
}
