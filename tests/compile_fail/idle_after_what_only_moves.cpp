// error: message_cannot_be_copied<parcel>
#include "account.hpp"

struct parcel {
  std::unique_ptr<int> load;
};
struct till : tact::protocol<deposit, parcel> {};
void f(tact::self<till>& self) {
  self.idle_after(std::chrono::seconds(5), parcel{});  // here
}
