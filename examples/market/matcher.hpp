// A matcher: the actor that has an order book.
#pragma once

#include <cstdint>
#include <tact/patterns/topic.hpp>
#include <vector>

#include "figures.hpp"
#include "gathering.hpp"
#include "messages.hpp"

namespace market {

// In which order a book takes what the ledgers send. As they come is a mistake: who is first then depends on which
// ledger was faster. The market has it to show that a simulation finds it.
enum class taking : std::uint8_t { in_order, as_they_come };

struct book_question {
  using reply = book_figures;
};
struct published_question {
  using reply = published_figures;
};

// Takes the orders of all ledgers round by round, in the order in which the feeds brought them, and sends each ledger
// what its accounts get, and the subscribers what they want to see.
class matcher
    : public tact::actor<matcher, accepted_orders, tact::request<book_question>, tact::request<published_question>> {
 public:
  matcher(tact::registry names, const rules& by, std::size_t number, taking how);

  void receive(tact::self<matcher>& self, accepted_orders& m);
  void receive(tact::self<matcher>& self, const tact::request<book_question>& m) { self.reply(m, so_far_); }
  void receive(tact::self<matcher>& self, const tact::request<published_question>& m) { self.reply(m, published_); }

 private:
  void meet();
  void do_round(tact::self<matcher>& self);
  void handle(const order& o);
  void settle(std::size_t first);  // the trades from this one on
  void give_back(const order& o);
  void post(const posting& p) { postings_[by_.ledger_of(p.account)].push_back(p); }
  void publish(tact::self<matcher>& self);
  void state(tact::self<matcher>& self);

  tact::registry names_;
  rules by_;
  std::uint32_t number_;
  taking how_;
  order_book book_{};
  gathering<order> orders_;
  round_number round_ = 0;
  std::vector<trade> trades_{};                   // of this round
  std::vector<std::vector<posting>> postings_{};  // the same, by ledger
  std::vector<order> in_order_{};                 // of this round
  quote last_quote_{};
  book_figures so_far_{};
  published_figures published_{};

  std::vector<tact::ref<settlement>> ledgers_{};
  tact::ref<statement> auditor_{};
  tact::ref<tape> tapes_{};
  tact::ref<book_quote> quotes_{};
};

}  // namespace market
