// error: a state with a time_limit\(\) handles tact::state_timeout
#include "account.hpp"
#include "tact/patterns/state_machine.hpp"

struct busy {
  void operator()(auto&, const deposit&) const {}
  std::chrono::seconds time_limit() const { return std::chrono::seconds(1); }
};
auto make() {
  return tact::state_machine<account>(busy{});  // here
}
