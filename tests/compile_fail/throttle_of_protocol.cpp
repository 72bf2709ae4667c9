// error: it passes one type of message on: narrow the ref to it
#include "account.hpp"
#include "tact/patterns/throttle.hpp"

auto f(tact::ref<account> a) {
  return tact::throttle(a, {});  // here
}
