// error: protocol_lacks<(tact::)?request<owner> ?>
#include "account.hpp"

struct owner {
  using reply = std::string;
};
void f(tact::engine& e, tact::ref<account> a) {
  e.ask(a, owner{});  // here
}
