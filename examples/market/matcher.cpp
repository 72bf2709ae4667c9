#include "matcher.hpp"

#include <algorithm>
#include <memory>
#include <utility>

namespace market {
matcher::matcher(tact::registry names, const rules& by, std::size_t number, taking how)
    : names_(std::move(names)),
      by_(by),
      number_(static_cast<std::uint32_t>(number)),
      how_(how),
      orders_(by.ledgers),
      postings_(by.ledgers) {}

void matcher::meet() {
  ledgers_ = find_all<settlement>(names_, "ledger", by_.ledgers);
  auditor_ = names_.find<statement>("auditor");
  tapes_ = names_.find<tape>("tapes");
  quotes_ = names_.find<book_quote>("quotes");
}

void matcher::receive(tact::self<matcher>& self, accepted_orders& m) {
  if (ledgers_.empty()) meet();
  if (how_ == taking::as_they_come) {
    for (const order& o : std::exchange(m.orders, {})) handle(o);
  }
  orders_.add(m.ledger, std::move(m.orders));
  if (orders_.is_complete()) do_round(self);
}

void matcher::do_round(tact::self<matcher>& self) {
  in_order_.clear();
  orders_.take([&](std::size_t, const std::vector<order>& part) {
    const auto middle = static_cast<std::ptrdiff_t>(in_order_.size());
    in_order_.insert(in_order_.end(), part.begin(), part.end());
    std::inplace_merge(in_order_.begin(), in_order_.begin() + middle, in_order_.end(),
                       [](const order& a, const order& b) { return a.place < b.place; });
  });
  for (const order& o : in_order_) handle(o);
  if (round_ == by_.trading_rounds) {
    for (const order& o : book_.close()) {
      give_back(o);
      ++so_far_.closed;
    }
  }
  for (std::size_t l = 0; l != ledgers_.size(); ++l) {
    self.send(ledgers_[l], settlement{number_, std::exchange(postings_[l], {})});
  }
  publish(self);
  if (round_ % by_.audit_every == 0) state(self);
  ++round_;
}

void matcher::handle(const order& o) {
  if (o.kind == order_kind::cancel) {
    const auto rested = book_.cancel(o.account, o.number);
    ++(rested ? so_far_.cancelled : so_far_.came_too_late);
    if (rested) give_back(*rested);
    return;
  }
  ++so_far_.orders;
  const auto before = trades_.size();
  book_.place(o, trades_);
  settle(before);
}

// The money of the buy order goes to the seller, and back to the buyer as far as the price was better than its limit.
void matcher::settle(std::size_t first) {
  for (; first != trades_.size(); ++first) {
    const trade& t = trades_[first];
    const cents reserved = cents{t.quantity} * t.buy.limit;
    post({t.buy.account, t.quantity, reserved - t.value(), reserved});
    post({t.sell.account, 0, t.value(), cents{t.quantity} * t.sell.limit});
    so_far_.note(t);
  }
}

void matcher::give_back(const order& o) {
  const bool is_buyer = o.kind == order_kind::buy;
  post({o.account, is_buyer ? 0 : o.quantity, is_buyer ? o.value() : 0, o.value()});
}

void matcher::publish(tact::self<matcher>& self) {
  if (!trades_.empty()) {
    self.send(tapes_, tape{number_, round_, std::make_shared<const std::vector<trade>>(std::exchange(trades_, {}))});
    ++published_.tapes;
  }
  if (const quote now = book_.best(); now != std::exchange(last_quote_, now)) {
    self.send(quotes_, book_quote{number_, round_, now});
    ++published_.quotes;
  }
}

void matcher::state(tact::self<matcher>& self) {
  const escrow held = book_.held();
  statement s{round_, held.cash, std::vector<shares>(by_.books)};
  s.stock[number_] = held.stock;
  self.send(auditor_, std::move(s));
}

}  // namespace market
