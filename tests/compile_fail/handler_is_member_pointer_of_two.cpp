// error: handler_is_a_member_pointer
#include "account.hpp"

struct bank {
  void take(tact::self<account>&, const deposit&) const;
};
tact::behavior<account> b{&bank::take, tell_balance};  // here
