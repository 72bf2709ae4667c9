// error: protocol_lacks<(tact::)?request<owner> ?>
#include "account.hpp"
#include "tact/patterns/ask_all.hpp"

struct owner {
  using reply = std::string;
};
void f(tact::transaction& tx, const std::vector<tact::ref<account>>& all) {
  tx.ask_all(all, owner{}, [](tact::transaction&, const auto&) {});  // here
}
