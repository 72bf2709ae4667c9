#include "ledger.hpp"

#include <utility>

namespace market {

ledger::ledger(tact::registry names, const rules& by, std::size_t number)
    : names_(std::move(names)),
      by_(by),
      number_(static_cast<std::uint32_t>(number)),
      orders_(by.feeds),
      postings_(by.books) {
  for (std::size_t a = number; a < by.accounts; a += by.ledgers) {
    accounts_.emplace_back(by.opening_cash, by.books, by.opening_shares);
  }
}

void ledger::meet() {
  books_ = find_all<accepted_orders>(names_, "book", by_.books);
  auditor_ = names_.find<statement>("auditor");
  clock_ = names_.find<round_over>("clock");
}

void ledger::receive(tact::self<ledger>& self, orders_of_feed& m) {
  orders_.add(m.feed, std::move(m.orders), m.is_last);
  do_rounds(self);
}

void ledger::receive(tact::self<ledger>& self, settlement& m) {
  postings_.add(m.book, std::move(m.postings));
  do_rounds(self);
}

void ledger::receive(tact::self<ledger>& self, const tact::request<ledger_question>& m) {
  ledger_figures f = so_far_;
  f.accounts = accounts_;
  self.reply(m, std::move(f));
}

// Both are waited for, so that the accounts are the same at each order, however fast the books are.
void ledger::do_rounds(tact::self<ledger>& self) {
  if (books_.empty()) meet();
  while (orders_.is_complete() && (round_ < by_.settlement_lag || postings_.is_complete())) {
    if (round_ >= by_.settlement_lag) settle(self);
    admit(self);
    if (round_ % by_.audit_every == 0) open_statement();
    self.send(clock_, round_over{number_});
    ++round_;
  }
}

void ledger::settle(tact::self<ledger>& self) {
  const round_number traded = round_ - by_.settlement_lag;
  const bool is_counted = statement_ && traded <= statement_->round;  // it was under way at the time of the statement
  postings_.take([&](std::size_t book, const std::vector<posting>& all) {
    for (const posting& p : all) {
      account_of(p.account).apply(p, book);
      if (!is_counted) continue;
      statement_->cash += p.cash;
      statement_->stock[book] += p.bought;
    }
  });
  if (is_counted && traded == statement_->round) self.send(auditor_, *std::exchange(statement_, {}));
}

void ledger::admit(tact::self<ledger>& self) {
  std::vector<std::vector<order>> accepted(by_.books);
  orders_.take([&](std::size_t, const std::vector<order>& all) {
    for (const order& o : all) {
      if (o.kind == order_kind::cancel && o.account < by_.accounts && o.instrument != no_instrument) {
        ++so_far_.cancels;
        accepted[o.instrument].push_back(o);
        continue;
      }
      const verdict v = check(o);
      ++so_far_.orders[static_cast<std::size_t>(v)];
      if (v == verdict::accepted) accepted[o.instrument].push_back(o);
    }
  });
  for (std::size_t b = 0; b != books_.size(); ++b) {
    self.send(books_[b], accepted_orders{number_, std::move(accepted[b])});
  }
}

verdict ledger::check(const order& o) {
  if (o.account >= by_.accounts) return verdict::unknown_account;
  if (o.instrument == no_instrument) return verdict::unknown_instrument;
  return account_of(o.account).reserve(o, round_, by_.risk);
}

// Counts account by account. What the books have sent and has not come yet is added when it comes.
void ledger::open_statement() {
  statement_ = statement{round_, 0, std::vector<shares>(by_.books)};
  for (const account& a : accounts_) {
    statement_->cash += a.cash();
    for (std::size_t i = 0; i != by_.books; ++i) statement_->stock[i] += a.holdings()[i];
  }
}

}  // namespace market
