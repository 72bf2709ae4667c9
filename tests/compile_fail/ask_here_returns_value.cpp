// error: continuation_must_return_void<long( int)?>
#include "account.hpp"

struct till : tact::protocol<deposit> {};
void f(tact::self<till>& self, tact::ref<account> a) {
  self.ask_here(a, balance{}, [](auto&, long cents) { return cents; });  // here
}
