// error: handler_must_return_void<deposit>
#include "account.hpp"

tact::behavior<account> b{[](auto&, const auto&) { return 1; }};  // here
