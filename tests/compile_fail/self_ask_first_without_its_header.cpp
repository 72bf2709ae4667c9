// error: a program that calls self.ask_first or ask_any includes <tact/patterns/ask_first.hpp>
#include "account.hpp"

void f(tact::transaction& tx, const std::vector<tact::ref<account>>& all) {
  tx.ask_any(all, balance{}, [](tact::transaction&, const auto&) {});  // here
}
