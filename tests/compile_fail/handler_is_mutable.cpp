// error: handler_is_mutable
#include "account.hpp"

tact::behavior<account> b{[n = 0L](tact::self<account>&, const deposit&) mutable { ++n; }, tell_balance};  // here
