#include "bank.hpp"

#include <stdexcept>

namespace bank {
namespace {

using asked = tact::request<order>;

tact::behavior<account> open(long cents, bool is_fussy) {
  const auto look_at = [is_fussy](long amount) {
    if (amount <= 0) throw std::invalid_argument("an amount is positive");
    if (is_fussy && amount % 10 == 7) throw std::runtime_error("this account takes no sevens");
  };
  return {
      [=](auto& self, const tact::request<balance>& m) { self.reply(m, cents); },
      [=](tact::self<account>& self, const tact::request<withdraw>& m) {
        look_at(m.body.cents);
        if (m.body.cents > cents) throw std::runtime_error("the account does not hold so much");
        self.become(open(cents - m.body.cents, is_fussy));
        self.reply(m, cents - m.body.cents);
      },
      [=](tact::self<account>& self, const tact::request<deposit>& m) {
        look_at(m.body.cents);
        self.become(open(cents + m.body.cents, is_fussy));
        self.reply(m, cents + m.body.cents);
      },
  };
}

// Asks one account, then the next.
void count_from(tact::transaction& tx, const asked& m, const std::vector<tact::ref<account>>& accounts, std::size_t at,
                long sum) {
  if (at == accounts.size()) return tx.reply(m, sum);
  tx.ask(
      accounts[at], balance{},
      [=](tact::transaction& then, long cents) { count_from(then, m, accounts, at + 1, sum + cents); },
      [=](tact::transaction& then, const tact::failure& f) { then.fail(m, f); });
}

// The bank answers when both accounts have. If the second one refuses, the first one gets its money back.
void move(tact::transaction& tx, const asked& m, const transfer& t) {
  const auto refuse = [m](tact::transaction& then, const tact::failure& f) { then.fail(m, f); };
  const auto give_back = [m, t](tact::transaction& then, const tact::failure& f) {
    then.ask(
        t.from, deposit{t.cents}, [m, f](tact::transaction& last, long) { last.fail(m, f); },
        [m](tact::transaction& last, const tact::failure& worse) { last.fail(m, worse); });
  };
  tx.ask(
      t.from, withdraw{t.cents},
      [=](tact::transaction& then, long) {
        then.ask(
            t.to, deposit{t.cents}, [m, t](tact::transaction& last, long) { last.reply(m, t.cents); }, give_back);
      },
      refuse);
}

}  // namespace

tact::behavior<account> open_account(long cents) { return open(cents, false); }
tact::behavior<account> open_fussy_account(long cents) { return open(cents, true); }

tact::behavior<tact::request<order>> open_bank(std::vector<tact::ref<account>> accounts) {
  return {[accounts](auto& self, const asked& m) {
    self.defer(m);  // a continuation answers
    const transfer* t = std::get_if<transfer>(&m.body.what);
    t != nullptr ? move(self, m, *t) : count_from(self, m, accounts, 0, 0);
  }};
}

}  // namespace bank
