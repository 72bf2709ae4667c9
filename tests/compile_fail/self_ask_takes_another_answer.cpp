// error: continuation_must_take<long( int)?>
#include "account.hpp"

void f(tact::transaction& tx, tact::ref<account> a) {
  tx.ask(a, balance{}, [](auto&, const std::string&) {});  // here
}
