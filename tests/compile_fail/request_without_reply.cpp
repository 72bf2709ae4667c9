// error: a query names the type of its answer
#include "account.hpp"

tact::request<deposit> r;  // here
