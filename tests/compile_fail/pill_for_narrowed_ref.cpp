// error: a_narrowed_ref_cannot_kill
#include "account.hpp"

void f(tact::ref<deposit> a) {
  a | tact::finished_msg;  // here
}
