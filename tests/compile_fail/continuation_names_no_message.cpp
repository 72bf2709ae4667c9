// error: continuation_names_no_message
#include "account.hpp"

void f(tact::transaction& tx) {
  tx.beta([](auto&, const auto&) {});  // here
}
