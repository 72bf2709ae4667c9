// The auditor: counts the money and the shares of the whole market while it runs.
#pragma once

#include <cstddef>
#include <map>
#include <utility>
#include <vector>

#include "figures.hpp"
#include "messages.hpp"

namespace market {

struct audit_question {
  using reply = audit_figures;
};

// Nobody stops for an audit. The end of a round is the marker of a snapshot (Chandy and Lamport 1985): each ledger and
// each book counts what it has at its own end of the round. What a book has sent by then, and a ledger receives later,
// is under way, and that ledger adds it to its statement. From ledgers to books nothing is under way: a book is at the
// end of a round when it has all that the ledgers had sent at theirs. So the sum must be what there was in the morning.
class auditor : public tact::actor<auditor, statement, tact::request<audit_question>> {
 public:
  explicit auditor(const rules& by) : by_(by) {}

  void receive(tact::self<auditor>&, const statement& m) {
    auto& [come, cash, stock] = open_[m.round];
    stock.resize(by_.books);
    cash += m.cash;
    for (std::size_t i = 0; i != by_.books; ++i) stock[i] += m.stock[i];
    if (++come != by_.ledgers + by_.books) return;
    const auto accounts = static_cast<std::int64_t>(by_.accounts);
    const std::vector<shares> all(by_.books, accounts * by_.opening_shares);
    ++(cash == accounts * by_.opening_cash && stock == all ? so_far_.passed : so_far_.failed);
    open_.erase(m.round);
  }
  void receive(tact::self<auditor>& self, const tact::request<audit_question>& m) { self.reply(m, so_far_); }

 private:
  struct sum {
    std::size_t come = 0;  // statements
    cents cash = 0;
    std::vector<shares> stock{};
  };
  rules by_;
  std::map<round_number, sum> open_{};
  audit_figures so_far_{};
};

}  // namespace market
