// error: handler_is_mutable
#include "account.hpp"

tact::behavior<deposit> b{[n = 0L](auto&, const auto& m) mutable { n += m.cents; }};  // here
