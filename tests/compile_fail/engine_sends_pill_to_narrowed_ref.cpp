// error: a narrowed one cannot kill
#include "account.hpp"

void f(tact::engine& e, tact::ref<deposit> a) {
  e.send(a, tact::destroy_msg);  // here
}
