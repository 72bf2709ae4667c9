// error: a program that calls self.ask_all includes <tact/patterns/ask_all.hpp>
#include "account.hpp"

void f(tact::transaction& tx, const std::vector<tact::ref<account>>& all) {
  tx.ask_all(all, balance{}, [](tact::transaction&, const auto&) {});  // here
}
