// error: handler_must_return_void<deposit>
#include <functional>

#include "account.hpp"

std::function<int(tact::self<account>&, const deposit&)> take;
tact::behavior<account> b{take, tell_balance};  // here
