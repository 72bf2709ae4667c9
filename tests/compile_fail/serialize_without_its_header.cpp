// error: who calls engine.serialize includes <tact/serial.hpp>
#include "account.hpp"

void f(tact::engine& e) {
  auto cents = e.serialize(0L);  // here
}
