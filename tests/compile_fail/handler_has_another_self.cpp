// error: handler_has_another_self
#include "account.hpp"

tact::behavior<account> b{[](tact::self<deposit>&, const deposit&) {}, tell_balance};  // here
