#include "order_book.hpp"

#include <algorithm>

namespace market {

void order_book::place(order o, std::vector<trade>& trades) {
  if (o.kind == order_kind::buy) {
    match(
        o, asks_, [&](std::int32_t price) { return price <= o.limit; }, trades);
    if (o.quantity != 0) rest(o, bids_);
  } else {
    match(
        o, bids_, [&](std::int32_t price) { return price >= o.limit; }, trades);
    if (o.quantity != 0) rest(o, asks_);
  }
}

template <class Side, class May>
void order_book::match(order& o, Side& side, const May& may, std::vector<trade>& trades) {
  while (o.quantity != 0 && !side.empty() && may(side.begin()->first)) {
    auto& [price, best] = *side.begin();
    order& other = slots_[best.first].what;
    const auto quantity = std::min(o.quantity, other.quantity);
    const bool is_buyer = o.kind == order_kind::buy;
    trades.push_back({is_buyer ? o : other, is_buyer ? other : o, quantity, price});
    o.quantity -= quantity;
    other.quantity -= quantity;
    best.quantity -= quantity;
    if (other.quantity == 0) take_out(best.first, side, side.begin());
  }
}

template <class Side>
void order_book::rest(const order& o, Side& side) {
  slot at = static_cast<slot>(slots_.size());
  if (free_.empty()) {
    slots_.emplace_back();
  } else {
    at = free_.back();
    free_.pop_back();
  }
  level& l = side[o.limit];
  slots_[at] = {o, l.last, none};
  (l.last == none ? l.first : slots_[l.last].behind) = at;
  l.last = at;
  l.quantity += o.quantity;
  index_.emplace(key(o.account, o.number), at);
}

template <class Side>
order order_book::take_out(slot at, Side& side, typename Side::iterator level_at) {
  const resting r = slots_[at];
  level& l = level_at->second;
  (r.before == none ? l.first : slots_[r.before].behind) = r.behind;
  (r.behind == none ? l.last : slots_[r.behind].before) = r.before;
  l.quantity -= r.what.quantity;
  if (l.first == none) side.erase(level_at);
  slots_[at].what.quantity = 0;
  free_.push_back(at);
  index_.erase(key(r.what.account, r.what.number));
  return r.what;
}

std::optional<order> order_book::cancel(std::uint32_t account, std::uint32_t number) {
  const auto found = index_.find(key(account, number));
  if (found == index_.end()) return {};
  const slot at = found->second;
  const order& o = slots_[at].what;
  return o.kind == order_kind::buy ? take_out(at, bids_, bids_.find(o.limit))
                                   : take_out(at, asks_, asks_.find(o.limit));
}

std::vector<order> order_book::close() {
  std::vector<order> all;
  while (!bids_.empty()) all.push_back(take_out(bids_.begin()->second.first, bids_, bids_.begin()));
  while (!asks_.empty()) all.push_back(take_out(asks_.begin()->second.first, asks_, asks_.begin()));
  return all;
}

quote order_book::best() const noexcept {
  quote q;
  if (!bids_.empty()) q.bid = bids_.begin()->first, q.wanted = bids_.begin()->second.quantity;
  if (!asks_.empty()) q.ask = asks_.begin()->first, q.offered = asks_.begin()->second.quantity;
  return q;
}

escrow order_book::held() const noexcept {
  escrow sum;
  for (const resting& r : slots_) {
    (r.what.kind == order_kind::buy ? sum.cash : sum.stock) +=
        r.what.kind == order_kind::buy ? r.what.value() : r.what.quantity;
  }
  return sum;
}

}  // namespace market
