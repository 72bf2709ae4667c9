// error: message_would_be_sliced<large_deposit>
#include "account.hpp"

struct large_deposit : deposit {
  long limit;
};
void f(tact::engine& e, tact::ref<deposit> a) {
  e.send(a, large_deposit{}, tact::spread);  // here
}
