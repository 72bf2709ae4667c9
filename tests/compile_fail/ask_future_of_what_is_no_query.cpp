// error: query_names_no_reply<deposit>
#include "account.hpp"

void f(tact::engine& e, tact::ref<account> a) {
  e.ask_future(a, deposit{1});  // here
}
