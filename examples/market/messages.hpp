// What the actors of the market say to each other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <tact/patterns/registry.hpp>
#include <tact/tact.hpp>
#include <vector>

#include "account.hpp"
#include "order_book.hpp"
#include "session.hpp"

namespace market {

// The clock to each feed: the packets of all rounds before this one may be sent.
struct open_until {
  round_number round;
};
// A feed to its handler: read these records of a packet. The answer comes when the orders are on their way.
struct read_records {
  using reply = void;
  shared_packet from;
  std::uint32_t begin;
  std::uint32_t end;
  [[nodiscard]] bool is_last() const noexcept { return end == from->size(); }
};
// A feed handler to each ledger: orders of its accounts.
struct orders_of_feed {
  std::uint32_t feed;
  bool is_last;  // of this feed in this round
  std::vector<order> orders;
};
// A ledger to each book: the orders of a round that it has accepted, and cancels. The money and the shares of each
// order go with it.
struct accepted_orders {
  std::uint32_t ledger;
  std::vector<order> orders;
};
// A book to each ledger: what the accounts get of a round.
struct settlement {
  std::uint32_t book;
  std::vector<posting> postings;
};
// A ledger to the clock: it is through with a round.
struct round_over {
  std::uint32_t ledger;
};
// Ledgers and books to the auditor: what was there at the end of a round.
struct statement {
  round_number round;
  cents cash;
  std::vector<shares> stock;  // of each instrument
};
// A book to whoever subscribes: its trades in a round; and its best prices, when they have changed.
struct tape {
  std::uint32_t book;
  round_number round;
  std::shared_ptr<const std::vector<trade>> trades;
};
struct book_quote {
  std::uint32_t book;
  round_number round;
  quote best;
};

// The actors find each other by these names.
inline std::string name_of(const char* what, std::size_t number) { return what + (' ' + std::to_string(number)); }
template <class P>
std::vector<tact::ref<P>> find_all(const tact::registry& names, const char* what, std::size_t count) {
  std::vector<tact::ref<P>> all(count);
  for (std::size_t i = 0; i != count; ++i) all[i] = names.find<P>(name_of(what, i));
  return all;
}

}  // namespace market
