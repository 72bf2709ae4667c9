// error: a narrowed one cannot kill
#include "account.hpp"

void f(tact::ref<deposit> a) {
  a | tact::finished_msg;  // here
}
