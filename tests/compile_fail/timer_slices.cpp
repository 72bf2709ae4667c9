// error: message_would_be_sliced<large_deposit>
#include "account.hpp"

struct large_deposit : deposit {
  long limit;
};
void f(tact::engine& e, tact::ref<deposit> a, const large_deposit& m) {
  e.send_after(std::chrono::seconds(1), a, m);  // here
}
