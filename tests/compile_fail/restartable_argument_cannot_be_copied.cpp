// error: the object is made from copies of the arguments, so each of them must be copyable
// once
#include "account.hpp"

class teller : public tact::actor<teller, deposit> {
 public:
  explicit teller(std::unique_ptr<long> cents) : cents_(std::move(cents)) {}
  void receive(tact::self<teller>&, const deposit& m) { *cents_ += m.cents; }

 private:
  std::unique_ptr<long> cents_;
};

void f(tact::engine& e) {
  e.spawn<teller>(tact::restartable, std::make_unique<long>(0));  // here
}
