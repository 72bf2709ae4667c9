// A ledger: a part of the accounts. It checks their orders, and books what they get.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "figures.hpp"
#include "gathering.hpp"
#include "messages.hpp"

namespace market {

struct ledger_question {
  using reply = ledger_figures;
};

// A round goes so: what the books have traded some rounds before is settled, then each order of the feeds is checked
// in its turn and goes on to its book, and each book is told that this was the round. A classic actor, because its
// state is large and no handler of it throws.
class ledger : public tact::actor<ledger, orders_of_feed, settlement, tact::request<ledger_question>> {
 public:
  ledger(tact::registry names, const rules& by, std::size_t number);

  void receive(tact::self<ledger>& self, orders_of_feed& m);
  void receive(tact::self<ledger>& self, settlement& m);
  void receive(tact::self<ledger>& self, const tact::request<ledger_question>& m);

 private:
  void meet();
  void do_rounds(tact::self<ledger>& self);
  void settle(tact::self<ledger>& self);
  void admit(tact::self<ledger>& self);
  [[nodiscard]] verdict check(const order& o);
  void open_statement();
  [[nodiscard]] account& account_of(std::uint32_t number) { return accounts_[number / by_.ledgers]; }

  tact::registry names_;
  rules by_;
  std::uint32_t number_;
  std::vector<account> accounts_{};  // number_, number_ + ledgers, and so on
  gathering<order> orders_;
  gathering<posting> postings_;
  round_number round_ = 0;
  std::optional<statement> statement_{};  // in which the postings are missing that are under way
  ledger_figures so_far_{};

  std::vector<tact::ref<accepted_orders>> books_{};
  tact::ref<statement> auditor_{};
  tact::ref<round_over> clock_{};
};

}  // namespace market
