// error: self.idle_after cannot send the actor this
// error: protocol_lacks<withdraw>
#include "account.hpp"

struct closing {};
struct till : tact::protocol<deposit, closing> {};
tact::behavior<till> open_till() {
  return {[](auto& self, const deposit&) {
            self.idle_after(std::chrono::seconds(5), withdraw{1});  // here
          },
          [](auto& self, const closing&) { self.stop(); }};
}
