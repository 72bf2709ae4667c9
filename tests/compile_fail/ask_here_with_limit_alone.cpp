// error: limit_wants_otherwise
#include "account.hpp"

struct till : tact::protocol<deposit> {};
void f(tact::self<till>& self, tact::ref<account> a) {
  self.ask_here(a, balance{}, std::chrono::seconds(1), [](auto&, long) {});  // here
}
