// error: self.ask_all calls then.transaction&, std::vector<tact::outcome<R>>., where R is the reply's type
#include "account.hpp"
#include "tact/patterns/ask_all.hpp"

void f(tact::transaction& tx, const std::vector<tact::ref<account>>& all) {
  tx.ask_all(all, balance{}, [](tact::transaction&, long) {});  // here
}
