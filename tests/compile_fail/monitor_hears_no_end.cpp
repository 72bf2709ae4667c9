// error: protocol_lacks<tact::ended>
#include "account.hpp"

void f(tact::self<account>& self, tact::ref<deposit> target) {
  self.monitor(target);  // here
}
