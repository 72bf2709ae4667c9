// error: handler_must_take<(tact::)?request<balance> ?>
// once
#include "account.hpp"

tact::behavior<account> b{take_deposit, [](auto& self, const balance& m) { self.reply(m, 1); }};  // here
