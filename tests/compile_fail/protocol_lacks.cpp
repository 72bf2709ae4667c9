// error: protocol_lacks<withdraw>
#include "account.hpp"

tact::behavior<account> b{take_deposit, tell_balance, [](auto&, const withdraw&) {}};  // here
