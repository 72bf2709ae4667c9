// error: a_narrowed_ref_cannot_kill
#include "account.hpp"

void f(tact::engine& e, tact::ref<deposit> a) {
  e.send(a, tact::destroy_msg);  // here
}
