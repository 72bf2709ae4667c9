// error: list_poison_pill_in_the_protocol_or_use_a_wider_ref<deposit>
#include "account.hpp"

void f(tact::ref<deposit> a) {
  a | tact::finished_msg;  // here
}
