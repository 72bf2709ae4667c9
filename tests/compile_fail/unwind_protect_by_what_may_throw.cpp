// error: copying the message must not throw
#include "account.hpp"
#include "tact/patterns/unwind_protect.hpp"

auto f(tact::ref<tact::request<balance>> a, tact::ref<std::string> log) {
  return tact::unwind_protect(a, log, std::string("done"));  // here
}
