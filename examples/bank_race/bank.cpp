#include "bank.hpp"

namespace bank {

tact::behavior<account> open_account(long cents) {
  return {
      [=](tact::self<account>& self, const deposit& m) { self.become(open_account(cents + m.cents)); },
      [=](tact::self<account>& self, const take& m) { self.become(open_account(cents - m.cents)); },
      [=](auto& self, const tact::request<balance>& m) { self.reply(m, cents); },
      [=](tact::self<account>& self, const tact::request<try_to_take>& m) {
        const bool enough = cents >= m.body.cents;
        if (enough) self.become(open_account(cents - m.body.cents));
        self.reply(m, enough);
      },
  };
}

tact::behavior<teller> hire_hasty_teller() {
  return {[](tact::self<teller>& self, const pay& m) {
    const auto customer = self.beta([m](tact::transaction& tx, long cents) {
      if (cents < m.cents) return;
      tx.send(m.from, take{m.cents});
      tx.send(m.to, deposit{m.cents});
    });
    self.send(m.from, tact::request<balance>{customer, {}});
  }};
}

tact::behavior<teller> hire_careful_teller() {
  return {[](tact::self<teller>& self, const pay& m) {
    const auto customer = self.beta([m](tact::transaction& tx, bool taken) {
      if (taken) tx.send(m.to, deposit{m.cents});
    });
    self.send(m.from, tact::request<try_to_take>{customer, {m.cents}});
  }};
}

}  // namespace bank
