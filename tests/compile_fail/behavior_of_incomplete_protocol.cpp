// error: protocol_must_be_complete<later>
#include "account.hpp"

struct later;
void make() {
  tact::behavior<later> b{take_deposit};  // here
}
