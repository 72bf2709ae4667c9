// error: list_poison_pill_in_the_protocol_or_use_a_wider_ref<hi>
// once
#include "account.hpp"

struct hi {};
void f(tact::engine& e) {
  auto a = e.create(tact::behavior<hi>{[](auto&, const hi&) {}});
  a | tact::finished_msg;  // here
}
