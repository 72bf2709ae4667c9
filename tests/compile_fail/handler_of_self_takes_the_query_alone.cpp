// error: handler_must_take<(tact::)?request<balance> ?>
// once
#include "account.hpp"

tact::behavior<account> b{take_deposit, [](tact::self<account>&, const balance&) {}};  // here
