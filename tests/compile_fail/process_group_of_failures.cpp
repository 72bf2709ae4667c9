// error: P lists tact::failure, which a group needs for itself
#include "account.hpp"
#include "tact/patterns/process_group.hpp"

struct worker : tact::protocol<tact::failure, tact::request<balance>> {};
auto f() {
  return tact::process_group<worker>();  // here
}
