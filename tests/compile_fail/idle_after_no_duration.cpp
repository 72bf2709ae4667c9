// error: self.idle_after takes a duration first, such as 5s
#include "account.hpp"

struct closing {};
struct till : tact::protocol<deposit, closing> {};
void f(tact::self<till>& self) {
  self.idle_after(5, closing{});  // here
}
