// error: a program that calls engine.ask_future includes <tact/future.hpp>
#include "account.hpp"

void f(tact::engine& e, tact::ref<account> a) {
  auto answer = e.ask_future(a, balance{});  // here
}
