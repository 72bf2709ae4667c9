// An account: money and shares that are free, and what risk limits say to an order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "order.hpp"
#include "rules.hpp"

namespace market {

// What becomes of an order before it gets to its book.
enum class verdict : std::uint8_t {
  accepted,
  unknown_account,
  unknown_instrument,
  old_number,  // not above that of the account's last order; so no two of its orders have the same
  too_large,
  too_many,     // more orders in a burst than the account may send
  too_exposed,  // its open orders would be worth more than they may
  no_money,
  no_shares,
};
inline constexpr std::size_t verdicts = 9;
std::string_view to_string(verdict v) noexcept;

// What a book tells of an account: what the account gets, and what its open orders are worth less.
struct posting {
  std::uint32_t account = 0;
  shares bought = 0;  // or given back
  cents cash = 0;
  cents closed = 0;
};

class account {
 public:
  account(cents cash, std::size_t instruments, shares each) : cash_(cash), holdings_(instruments, each) {}

  // Takes out of the account what the order needs, and may need until it is filled or cancelled: a buyer's money, a
  // seller's shares. They go with the order. Changes nothing but what it remembers of the last order unless it is
  // accepted.
  verdict reserve(const order& o, round_number now, const risk_limits& limits);
  void apply(const posting& p, std::size_t instrument);

  [[nodiscard]] cents cash() const noexcept { return cash_; }
  [[nodiscard]] const std::vector<shares>& holdings() const noexcept { return holdings_; }
  [[nodiscard]] cents exposure() const noexcept { return exposure_; }
  friend bool operator==(const account&, const account&) = default;

 private:
  cents cash_;
  std::vector<shares> holdings_;  // of each instrument
  cents exposure_ = 0;            // what its open orders are worth at their limits
  std::uint32_t last_number_ = 0;
  round_number burst_ = 0;  // the last round in which it ordered,
  unsigned in_burst_ = 0;   // and how often in that
};

}  // namespace market
