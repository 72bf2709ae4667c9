// error: all actors would answer a request
#include "account.hpp"
#include "tact/patterns/tee.hpp"

auto f(tact::ref<tact::request<balance>> a) {
  return tact::tee<tact::request<balance>>(a, {a});  // here
}
