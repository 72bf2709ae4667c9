// error: ref<deposit>
// error: ref<account>
#include "account.hpp"

tact::ref<account> f(tact::ref<deposit> a) {
  return a;  // here
}
