// error: handler_takes_no_message
#include "account.hpp"

tact::behavior<account> b{take_deposit, tell_balance, [](auto&) {}};  // here
