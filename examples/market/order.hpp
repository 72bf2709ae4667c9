// What clients order: amounts, instruments, and an order with its place in the order of the market.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace market {

// Money is counted in cents and shares in pieces: there is no floating point, so nothing is rounded.
using cents = std::int64_t;
using shares = std::int64_t;

// What can be traded. The first letter finds the symbol.
inline constexpr std::array<std::string_view, 16> symbols{"ACME", "BOLT", "CORK", "DUNE", "ECHO", "FERN",
                                                          "GALE", "HUSK", "IRON", "JADE", "KELP", "LIME",
                                                          "MOSS", "NORD", "OPAL", "PINE"};
inline constexpr std::uint16_t no_instrument = 0xffff;

// The number of an instrument, or no_instrument when the symbol isn't among the first `listed`.
constexpr std::uint16_t find_instrument(std::string_view symbol, std::size_t listed) noexcept {
  const auto at = static_cast<std::size_t>(symbol.empty() ? 0xff : symbol.front() - 'A');
  return at < listed && symbols[at] == symbol ? static_cast<std::uint16_t>(at) : no_instrument;
}

enum class order_kind : std::uint8_t { buy, sell, cancel };

struct order {
  std::uint64_t place = 0;    // in its round: the number of the feed, then that of the record in the packet
  std::uint32_t account = 0;  // who orders
  std::uint32_t number = 0;   // by which the client knows the order; a cancel has that of the order it cancels
  std::uint16_t instrument = no_instrument;
  order_kind kind = order_kind::cancel;
  std::int32_t quantity = 0;  // of shares; 0 in a cancel
  std::int32_t limit = 0;     // cents for one share: a buyer pays no more, a seller takes no less; 0 in a cancel

  // What the order is worth at its limit.
  [[nodiscard]] constexpr cents value() const noexcept { return cents{quantity} * limit; }
  friend bool operator==(const order&, const order&) = default;
};

}  // namespace market
