// error: limit_wants_otherwise
// once
#include <chrono>

#include "account.hpp"

void f(tact::transaction& tx, tact::ref<account> a) {
  tx.ask(a, balance{}, std::chrono::seconds(1), [](auto&, long) {});  // here
}
