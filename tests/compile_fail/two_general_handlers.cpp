// error: two_handlers_for<(tact::)?request<balance> ?>
#include "account.hpp"

tact::behavior<account> b{take_deposit, [](auto&, const auto&) {}, [](tact::self<account>&, const auto&) {}};  // here
