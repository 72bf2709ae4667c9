// error: two_handlers_for<deposit>
#include "account.hpp"

tact::behavior<account> b{take_deposit, tell_balance, [](tact::self<account>&, const deposit&) {}};  // here
