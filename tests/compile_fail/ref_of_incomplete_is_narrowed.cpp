// error: must be defined, not only declared
#include "account.hpp"

struct later;
tact::ref<deposit> f(tact::ref<later> a) {
  return a;  // here
}
