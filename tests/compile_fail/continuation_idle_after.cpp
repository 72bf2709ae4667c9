// error: idle_after
#include "account.hpp"

struct closing {};
void f(tact::transaction& tx) {
  tx.idle_after(std::chrono::seconds(5), closing{});  // here
}
