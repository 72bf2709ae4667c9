// error: a query by itself cannot be answered: let the handler take const tact::request
// error: handler_must_take<(tact::)?request<balance> ?>
#include "account.hpp"

class ledger : public tact::actor<ledger, tact::request<balance>> {
 public:
  void receive(tact::self<ledger>& self, const balance& m) { self.reply(m, 1); }  // here
};
