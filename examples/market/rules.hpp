// What the market is made of, and the rules that hold on it.
#pragma once

#include <cstddef>
#include <cstdint>

#include "order.hpp"

namespace market {

// A round is one packet of each feed. It is the clock of the market: all that depends on time is counted in rounds.
using round_number = std::uint64_t;

struct risk_limits {
  shares largest_order = 400;
  cents largest_exposure = 200'000'00;  // of one account: what its open orders are worth
  unsigned orders_per_burst = 16;       // of one account in one round
};

struct rules {
  std::size_t books = 8;
  std::size_t feeds = 4;
  std::size_t ledgers = 2;
  std::size_t accounts = 1'000;
  cents opening_cash = 250'000'00;  // of each account
  shares opening_shares = 500;      // of each account in each instrument
  risk_limits risk{};
  // What is traded in a round is settled so many rounds later: until then the seller has not got the money. While the
  // books match a round the ledgers so check the next ones.
  round_number settlement_lag = 2;
  // So many rounds a feed may be ahead of the ledgers.
  round_number window = 8;
  // Each so many rounds the auditor counts; more than settlement_lag.
  round_number audit_every = 64;
  // Rounds with orders. In the next one the books close, and give back what rests in them; the rest is settlement.
  round_number trading_rounds = 0;

  [[nodiscard]] round_number rounds() const noexcept { return trading_rounds + 1 + settlement_lag; }
  // Audits that come to their end: all but those of rounds that are settled after the last one.
  [[nodiscard]] round_number audits() const noexcept { return trading_rounds / audit_every + 1; }
  [[nodiscard]] std::size_t ledger_of(std::uint32_t account) const noexcept { return account % ledgers; }
};

}  // namespace market
