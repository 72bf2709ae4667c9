// error: own_continuation_must_take<long( int)?>
#include "account.hpp"

struct till : tact::protocol<deposit> {};
void f(tact::self<till>& self, tact::ref<account> a) {
  self.ask_here(a, balance{}, [](auto&, const std::string&) {});  // here
}
