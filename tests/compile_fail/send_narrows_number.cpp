// error: protocol_lacks<double>
#include "account.hpp"

void f(tact::ref<long> a) {
  a | 1.5;  // here
}
