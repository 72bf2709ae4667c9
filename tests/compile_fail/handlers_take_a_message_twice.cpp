// error: two handlers of one set take this message
#include "account.hpp"
#include "tact/patterns/handlers.hpp"

tact::behavior<account> make() {
  return tact::handlers{take_deposit, [](auto&, const deposit&) {}, [](auto&, const auto&) {}};  // here
}
