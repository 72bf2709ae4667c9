// An order book: the orders of one instrument that rest, by price and then by time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <unordered_map>
#include <vector>

#include "order.hpp"

namespace market {

// One has sold to the other. The price is that of the order that rested.
struct trade {
  order buy{};  // as they stood before the trade
  order sell{};
  std::int32_t quantity = 0;
  std::int32_t price = 0;

  [[nodiscard]] cents value() const noexcept { return cents{quantity} * price; }
};

// The best prices, and how much is wanted and offered there; 0 where there is no order.
struct quote {
  std::int32_t bid = 0;
  std::int32_t ask = 0;
  shares wanted = 0;
  shares offered = 0;
  friend bool operator==(const quote&, const quote&) = default;
};

// What the resting orders hold: they came with the buyers' money and the sellers' shares.
struct escrow {
  cents cash = 0;
  shares stock = 0;
};

// No actor and no thread: the rules alone. An order trades with those that rest on the other side, the best price
// first and, at one price, whoever came first; what is left of it rests.
class order_book {
 public:
  // Appends its trades to `trades`.
  void place(order o, std::vector<trade>& trades);
  // Takes an order out. None, when the account has no such order: never had, or it is filled.
  std::optional<order> cancel(std::uint32_t account, std::uint32_t number);
  // Takes all orders out, buyers first.
  std::vector<order> close();

  [[nodiscard]] quote best() const noexcept;
  // Counts order by order.
  [[nodiscard]] escrow held() const noexcept;
  [[nodiscard]] std::size_t size() const noexcept { return index_.size(); }

 private:
  using slot = std::uint32_t;
  static constexpr slot none = ~slot{0};
  struct resting {
    order what{};
    slot before = none;
    slot behind = none;
  };
  // The orders of one price, as they came.
  struct level {
    slot first = none;
    slot last = none;
    shares quantity = 0;
  };
  using bids = std::map<std::int32_t, level, std::greater<>>;
  using asks = std::map<std::int32_t, level>;

  template <class Side, class May>
  void match(order& o, Side& side, const May& may, std::vector<trade>& trades);
  template <class Side>
  void rest(const order& o, Side& side);
  template <class Side>
  order take_out(slot at, Side& side, typename Side::iterator level_at);
  static std::uint64_t key(std::uint32_t account, std::uint32_t number) noexcept {
    return std::uint64_t{account} << 32 | number;
  }

  bids bids_{};
  asks asks_{};
  std::vector<resting> slots_{};  // a free one holds an order of no shares
  std::vector<slot> free_{};
  std::unordered_map<std::uint64_t, slot> index_{};
};

}  // namespace market
