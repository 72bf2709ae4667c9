// error: ask with a limit, or with tact::help
#include "account.hpp"

void f(tact::engine& e, tact::ref<account> a) {
  e.ask(a, balance{}, std::chrono::seconds(1), tact::help);  // here
}
