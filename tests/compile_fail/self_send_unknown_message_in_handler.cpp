// error: protocol_lacks<withdraw>
#include "account.hpp"

tact::behavior<account> b{
    [](auto& self, const deposit& m) { self.send(self.ref(), withdraw{m.cents}); },  // here
    tell_balance,
};
