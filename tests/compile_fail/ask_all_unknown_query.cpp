// error: protocol_lacks<(tact::)?request<owner> ?>
#include "account.hpp"

struct owner {
  using reply = std::string;
};
void f(tact::engine& e, const std::vector<tact::ref<account>>& all) {
  e.ask_all(all, owner{});  // here
}
