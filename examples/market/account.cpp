#include "account.hpp"

namespace market {

std::string_view to_string(verdict v) noexcept {
  switch (v) {
    case verdict::accepted:
      return "accepted";
    case verdict::unknown_account:
      return "unknown account";
    case verdict::unknown_instrument:
      return "unknown instrument";
    case verdict::old_number:
      return "number used before";
    case verdict::too_large:
      return "too large";
    case verdict::too_many:
      return "too many in a burst";
    case verdict::too_exposed:
      return "too exposed";
    case verdict::no_money:
      return "no money";
    case verdict::no_shares:
      return "no shares";
  }
  return "?";
}

verdict account::reserve(const order& o, round_number now, const risk_limits& limits) {
  if (o.number <= last_number_) return verdict::old_number;
  last_number_ = o.number;
  if (burst_ != now) in_burst_ = 0;
  burst_ = now;
  if (++in_burst_ > limits.orders_per_burst) return verdict::too_many;
  if (o.quantity > limits.largest_order) return verdict::too_large;
  if (exposure_ + o.value() > limits.largest_exposure) return verdict::too_exposed;
  if (o.kind == order_kind::buy) {
    if (cash_ < o.value()) return verdict::no_money;
    cash_ -= o.value();
  } else {
    if (holdings_[o.instrument] < o.quantity) return verdict::no_shares;
    holdings_[o.instrument] -= o.quantity;
  }
  exposure_ += o.value();
  return verdict::accepted;
}

void account::apply(const posting& p, std::size_t instrument) {
  cash_ += p.cash;
  holdings_[instrument] += p.bought;
  exposure_ -= p.closed;
}

}  // namespace market
