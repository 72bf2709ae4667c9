// error: protocol_lacks<withdraw>
#include "account.hpp"

tact::behavior<account> b{take_deposit, tell_balance, [](tact::self<account>&, withdraw) {}};  // here
