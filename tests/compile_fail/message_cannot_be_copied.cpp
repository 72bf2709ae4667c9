// error: message_cannot_be_copied<std::unique_ptr<int
#include "account.hpp"

tact::behavior<std::unique_ptr<int>> b{[](auto&, std::unique_ptr<int>) {}};  // here
