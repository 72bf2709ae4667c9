// error: a message type is listed twice
#include "account.hpp"

struct twice : tact::protocol<deposit, deposit> {};  // here
