// error: handler_has_another_self
#include "account.hpp"

tact::behavior<account> b{take_deposit, tell_balance, [](tact::self<deposit>&, const auto& m) { m.x(); }};  // here
