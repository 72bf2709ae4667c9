// error: made from constant copies of the arguments, which its constructor must take: const T& or T; wrap in std::ref
// once
#include "account.hpp"

class teller : public tact::actor<teller, deposit> {
 public:
  explicit teller(std::string&& name) : name_(std::move(name)) {}
  void receive(tact::self<teller>&, const deposit&) {}

 private:
  std::string name_;
};

void f(tact::engine& e) {
  e.spawn<teller>(tact::restartable, std::string("north"));  // here
}
