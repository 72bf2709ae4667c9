// error: protocol_lacks<owner>
#include "account.hpp"

struct owner {};
void f(tact::engine& e, const std::vector<tact::ref<account>>& all) {
  e.send_all(all, owner{});  // here
}
