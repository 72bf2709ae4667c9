// error: handler_must_return_void<deposit>
#include "account.hpp"

tact::behavior<account> b{[](tact::self<account>&, const deposit& m) { return m.cents; }, tell_balance};  // here
