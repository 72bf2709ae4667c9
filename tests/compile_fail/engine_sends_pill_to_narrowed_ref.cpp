// error: list_poison_pill_in_the_protocol_or_use_a_wider_ref<deposit>
#include "account.hpp"

void f(tact::engine& e, tact::ref<deposit> a) {
  e.send(a, tact::destroy_msg.because("closed"));  // here
}
