// The clock of the market: lets the feeds send the next rounds when the ledgers are through with the last ones.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "gathering.hpp"
#include "messages.hpp"

namespace market {

struct open_market {};

// So no feed is more than a window of rounds ahead, and what waits in mailboxes is bounded, however large a burst is.
class round_clock : public tact::actor<round_clock, open_market, round_over> {
 public:
  round_clock(tact::registry names, const rules& by) : names_(std::move(names)), by_(by), over_(by.ledgers) {}

  void receive(tact::self<round_clock>& self, const open_market&) {
    feeds_ = find_all<open_until>(names_, "feed", by_.feeds);
    tell(self);
  }
  void receive(tact::self<round_clock>& self, const round_over& m) {
    over_.add(m.ledger, {});
    if (!over_.is_complete()) return;
    over_.take([](auto, auto&) {});
    ++rounds_over_;
    tell(self);
  }

 private:
  struct nothing {};
  void tell(tact::self<round_clock>& self) const {
    for (const auto& f : feeds_) self.send(f, open_until{std::min(rounds_over_ + by_.window, by_.rounds())});
  }

  tact::registry names_;
  rules by_;
  gathering<nothing> over_;
  round_number rounds_over_ = 0;
  std::vector<tact::ref<open_until>> feeds_{};
};

}  // namespace market
