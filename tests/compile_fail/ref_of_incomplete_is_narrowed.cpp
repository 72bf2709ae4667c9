// error: must be defined, not only declared
// once
#include "account.hpp"

struct later;
tact::ref<deposit> f(tact::ref<later> a) {
  return a;  // here
}
