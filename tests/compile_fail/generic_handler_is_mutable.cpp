// error: handler_is_mutable
#include "account.hpp"

tact::behavior<account> b{[n = 0L](auto&, const deposit& m) mutable { n += m.cents; }, tell_balance};  // here
