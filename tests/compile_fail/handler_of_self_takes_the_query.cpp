// error: a query by itself cannot be answered: let the handler take const tact::request
// error: handler_must_take<(tact::)?request<balance> ?>
#include "account.hpp"

tact::behavior<account> b{
    take_deposit, [](tact::self<account>& self, const balance& m) { self.reply(m, 1); },  // here
};
