// error: message_would_be_sliced<large_deposit>
#include "account.hpp"

struct large_deposit : deposit {
  long limit;
};
void f(tact::ref<deposit> a) {
  a | large_deposit{};  // here
}
