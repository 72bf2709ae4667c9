// error: no_handler_for<(tact::)?request<balance> ?>
#include "account.hpp"

tact::behavior<account> b{take_deposit};  // here
