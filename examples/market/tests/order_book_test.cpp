// An order book: what it does is what a list that is searched from its beginning does.
#include "order_book.hpp"

#include <algorithm>
#include <random>
#include <vector>

#include "support/catch.hpp"
#include "support/seed.hpp"

namespace order_book_test {

namespace {

using namespace market;

// All orders in a list, as they came.
class listed_book {
 public:
  void place(order o, std::vector<trade>& trades) {
    while (o.quantity != 0) {
      const auto best = find_best(o);
      if (best == all_.end()) return all_.push_back(o);
      const auto quantity = std::min(o.quantity, best->quantity);
      const bool is_buyer = o.kind == order_kind::buy;
      trades.push_back({is_buyer ? o : *best, is_buyer ? *best : o, quantity, best->limit});
      o.quantity -= quantity;
      best->quantity -= quantity;
      if (best->quantity == 0) all_.erase(best);
    }
  }
  std::optional<order> cancel(std::uint32_t account, std::uint32_t number) {
    const auto is_it = [&](const order& o) { return o.account == account && o.number == number; };
    const auto found = std::find_if(all_.begin(), all_.end(), is_it);
    if (found == all_.end()) return {};
    const order o = *found;
    all_.erase(found);
    return o;
  }
  [[nodiscard]] escrow held() const {
    escrow sum;
    for (const order& o : all_) (o.kind == order_kind::buy ? sum.cash : sum.stock) += held_by(o);
    return sum;
  }
  [[nodiscard]] std::size_t size() const { return all_.size(); }
  [[nodiscard]] quote best() const {
    quote q;
    for (const order& o : all_) {
      const bool is_buyer = o.kind == order_kind::buy;
      auto& price = is_buyer ? q.bid : q.ask;
      auto& quantity = is_buyer ? q.wanted : q.offered;
      const bool is_better = price == 0 || (is_buyer ? o.limit > price : o.limit < price);
      if (is_better) quantity = 0;
      if (is_better || o.limit == price) quantity += o.quantity;
      if (is_better) price = o.limit;
    }
    return q;
  }

 private:
  static std::int64_t held_by(const order& o) { return o.kind == order_kind::buy ? o.value() : o.quantity; }
  std::vector<order>::iterator find_best(const order& o) {
    auto best = all_.end();
    for (auto at = all_.begin(); at != all_.end(); ++at) {
      const bool is_buyer = o.kind == order_kind::buy;
      if (at->kind == o.kind || (is_buyer ? at->limit > o.limit : at->limit < o.limit)) continue;
      if (best == all_.end() || (is_buyer ? at->limit < best->limit : at->limit > best->limit)) best = at;
    }
    return best;
  }
  std::vector<order> all_{};
};

bool operator==(const trade& a, const trade& b) {
  return a.buy == b.buy && a.sell == b.sell && a.quantity == b.quantity && a.price == b.price;
}

order some_order(std::minstd_rand& dice, std::uint32_t number) {
  order o;
  o.account = static_cast<std::uint32_t>(dice() % 3);
  o.number = number;
  o.instrument = 0;
  o.kind = dice() % 2 == 0 ? order_kind::buy : order_kind::sell;
  o.quantity = static_cast<std::int32_t>(1 + dice() % 20);
  o.limit = static_cast<std::int32_t>(1 + dice() % 12);
  return o;
}

}  // namespace

TEST_CASE("order book: trades, cancels and best prices are those of a list that is searched", "[market]") {
  TACT_SEEDED(seed);
  std::minstd_rand dice(static_cast<unsigned>(seed));
  order_book book;
  listed_book list;
  for (std::uint32_t i = 0; i != 20'000; ++i) {
    if (dice() % 3 == 0) {
      const auto account = static_cast<std::uint32_t>(dice() % 3);
      const auto number = i - static_cast<std::uint32_t>(dice() % 40);
      REQUIRE(book.cancel(account, number) == list.cancel(account, number));
    } else {
      const order o = some_order(dice, i);
      std::vector<trade> trades, expected;
      book.place(o, trades);
      list.place(o, expected);
      const bool are_same =
          std::equal(trades.begin(), trades.end(), expected.begin(), expected.end(),
                     [](const trade& a, const trade& b) { return order_book_test::operator==(a, b); });
      REQUIRE(are_same);
    }
    REQUIRE(book.best() == list.best());
    REQUIRE(book.size() == list.size());
    REQUIRE(book.held().cash == list.held().cash);
    REQUIRE(book.held().stock == list.held().stock);
  }
}

TEST_CASE("order book: who came first at a price trades first, at the price that rested", "[market]") {
  order_book book;
  std::vector<trade> trades;
  const auto sell = [](std::uint32_t account, std::int32_t limit) {
    return order{0, account, 1, 0, order_kind::sell, 10, limit};
  };
  for (const auto& o : {sell(1, 102), sell(2, 100), sell(3, 100)}) book.place(o, trades);
  REQUIRE(trades.empty());
  book.place({0, 9, 1, 0, order_kind::buy, 25, 105}, trades);
  REQUIRE(trades.size() == 3);
  const std::uint32_t sellers[] = {2, 3, 1};
  const std::int32_t prices[] = {100, 100, 102}, quantities[] = {10, 10, 5};
  for (std::size_t i = 0; i != 3; ++i) {
    CHECK(trades[i].sell.account == sellers[i]);
    CHECK(trades[i].price == prices[i]);
    CHECK(trades[i].quantity == quantities[i]);
  }
  CHECK(book.close().size() == 1);
  CHECK(book.size() == 0);
}

}  // namespace order_book_test
