// error: only who makes an actor
#include "account.hpp"

void f(tact::ref<account> a) {
  tact::owner<account> mine(a);  // here
}
