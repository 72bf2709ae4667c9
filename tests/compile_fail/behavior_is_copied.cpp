// error: deleted
#include "account.hpp"

tact::behavior<account> twice(tact::behavior<account>& b) {
  return b;  // here
}
