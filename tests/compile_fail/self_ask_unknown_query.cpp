// error: protocol_lacks<(tact::)?request<owner> ?>
#include "account.hpp"

struct owner {
  using reply = std::string;
};
void f(tact::transaction& tx, tact::ref<account> a) {
  tx.ask(a, owner{}, [](auto&, const std::string&) {});  // here
}
