// error: handler_must_return_void<tact::request<balance>
#include "account.hpp"

tact::behavior<account> b{take_deposit, [](auto&, const tact::request<balance>&) { return 1L; }};  // here
