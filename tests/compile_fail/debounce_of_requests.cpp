// error: a request must be answered, so it is not dropped
#include <chrono>

#include "account.hpp"
#include "tact/patterns/debounce.hpp"

auto f(tact::ref<tact::request<balance>> a) {
  return tact::debounce(a, std::chrono::seconds(1));  // here
}
