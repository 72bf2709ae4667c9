// error: message types must be defined before the protocol
#include "account.hpp"

struct later;
struct early : tact::protocol<later> {};  // here
