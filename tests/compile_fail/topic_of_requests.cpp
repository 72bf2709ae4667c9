// error: a request has one answer, so M must not be one
#include "account.hpp"
#include "tact/patterns/topic.hpp"

auto f() {
  return tact::topic<tact::request<balance>>();  // here
}
