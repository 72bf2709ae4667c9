// error: protocol_lacks<withdraw>
#include "account.hpp"

void f(tact::ref<account> a) {
  a | withdraw{1};  // here
}
