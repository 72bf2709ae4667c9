// error: handler_is_mutable
#include "account.hpp"

struct till : tact::protocol<deposit> {};
void f(tact::self<till>& self, tact::ref<account> a) {
  self.ask_here(a, balance{}, [n = 0](auto&, long) mutable { ++n; });  // here
}
