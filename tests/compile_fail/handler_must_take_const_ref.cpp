// error: handler_must_take_const_ref<deposit>
#include "account.hpp"

tact::behavior<account> b{[](auto&, deposit& m) { m.cents = 0; }, tell_balance};  // here
