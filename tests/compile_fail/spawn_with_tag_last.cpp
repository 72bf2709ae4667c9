// error: tags_come_first<savings>
// once
#include "account.hpp"

class savings : public tact::actor<savings, deposit> {
 public:
  explicit savings(long) {}
  void receive(tact::self<savings>&, const deposit&) {}
};
void f(tact::engine& engine) {
  (void)engine.spawn<savings>(100, tact::heavy);  // here
}
