// error: ref<account>
// error: poison_pill
#include "account.hpp"

tact::ref<tact::poison_pill> f(tact::ref<account> a) {
  return a;  // here
}
