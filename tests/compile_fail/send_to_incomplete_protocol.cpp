// error: protocol_must_be_complete<later>
#include "account.hpp"

struct later;
void f(tact::ref<later> a) {
  a | deposit{1};  // here
}
