// A feed handler: makes orders of records, and crashes at one that is malformed.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "messages.hpp"
#include "record.hpp"

namespace market {

// It is supervised: after a crash it begins anew, knows nobody, and finds the ledgers again by their names. The orders
// of a packet leave when all of its records are read, or not at all: they are part of the run's transaction.
class feed_handler : public tact::actor<feed_handler, tact::request<read_records>> {
 public:
  feed_handler(tact::registry names, const rules& by, std::size_t feed)
      : names_(std::move(names)), by_(by), feed_(static_cast<std::uint32_t>(feed)) {}

  void receive(tact::self<feed_handler>& self, const tact::request<read_records>& m) {
    if (ledgers_.empty()) ledgers_ = find_all<orders_of_feed>(names_, "ledger", by_.ledgers);
    std::vector<std::vector<order>> orders(by_.ledgers);
    for (std::uint32_t i = m.body.begin; i != m.body.end; ++i) {
      order o = parse_record((*m.body.from)[i], by_.books);  // throws
      o.place = std::uint64_t{feed_} << 32 | i;
      orders[by_.ledger_of(o.account)].push_back(o);
    }
    for (std::size_t l = 0; l != orders.size(); ++l) {
      if (orders[l].empty() && !m.body.is_last()) continue;
      self.send(ledgers_[l], orders_of_feed{feed_, m.body.is_last(), std::move(orders[l])});
    }
    self.reply(m);
  }

 private:
  tact::registry names_;
  rules by_;
  std::uint32_t feed_;
  std::vector<tact::ref<orders_of_feed>> ledgers_{};
};

}  // namespace market
