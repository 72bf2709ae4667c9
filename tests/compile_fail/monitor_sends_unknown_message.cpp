// error: protocol_lacks<open>
#include "account.hpp"

struct open {};
void f(tact::self<account>& self, tact::ref<deposit> target) {
  self.monitor(target, open{});  // here
}
