// error: only the creation of an actor gives an owner
#include "account.hpp"

void f(tact::ref<account> a) {
  tact::owner<account> mine(a);  // here
}
