// error: self.idle_after cannot send the actor this
// error: protocol_lacks<withdraw>
#include "account.hpp"

struct closing {};
struct till : tact::protocol<deposit, closing> {};
void f(tact::self<till>& self) {
  self.idle_after(std::chrono::seconds(5), withdraw{1});  // here
}
