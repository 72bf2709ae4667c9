#include "session.hpp"

#include <algorithm>
#include <array>

#include "record.hpp"

namespace market {
namespace {

// Random numbers that are the same everywhere (splitmix64); the distributions of the standard library are not.
class dice {
 public:
  explicit dice(std::uint64_t seed) noexcept : state_(seed) {}
  std::uint32_t below(std::uint64_t n) noexcept { return static_cast<std::uint32_t>(next() % n); }
  bool one_in(std::uint64_t n) noexcept { return below(n) == 0; }

 private:
  std::uint64_t next() noexcept {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  std::uint64_t state_;
};

// The clients behind all feeds. Prices wander; most clients want to trade near to them.
class clients {
 public:
  clients(const rules& by, const session_options& options)
      : by_(by), options_(options), dice_(options.seed), prices_(by.books, 100'00) {}

  std::uint32_t some_size() {
    const auto size = 1 + dice_.below(2 * options_.packet_size);
    is_burst_ = dice_.one_in(16);
    bursting_ = some_account();
    return is_burst_ ? size * options_.burst_size : size;
  }
  std::string some_record() {
    if (dice_.one_in(options_.malformed_one_in)) return some_nonsense();
    return record_of(!recent_.empty() && dice_.one_in(4) ? some_cancel() : some_order());
  }

 private:
  std::uint32_t some_account() { return dice_.below(by_.accounts); }
  order some_cancel() {
    order o = recent_[dice_.below(recent_.size())];
    o.kind = order_kind::cancel;
    return o;
  }
  order some_order() {
    order o;
    // In a burst one client sends many of the orders.
    o.account = is_burst_ && dice_.one_in(8) ? bursting_ : some_account();
    if (dice_.one_in(options_.strange_one_in))
      o.account += static_cast<std::uint32_t>(by_.accounts);  // there is none of that number
    o.number = ++number_;
    o.instrument = static_cast<std::uint16_t>(dice_.below(by_.books));
    auto& price = prices_[o.instrument];
    price = std::max<std::int32_t>(price + static_cast<std::int32_t>(dice_.below(5)) - 2, 1'00);
    o.kind = dice_.one_in(2) ? order_kind::buy : order_kind::sell;
    const auto away = static_cast<std::int32_t>(dice_.below(60)) - 20;  // below 0: it crosses
    o.limit = std::max<std::int32_t>(o.kind == order_kind::buy ? price - away : price + away, 1);
    o.quantity = static_cast<std::int32_t>(1 + dice_.below(dice_.one_in(100) ? 800 : 80));
    if (dice_.one_in(options_.strange_one_in)) o.instrument = no_instrument;
    remember(o);
    if (dice_.one_in(options_.strange_one_in)) o.number = 0;
    return o;
  }
  void remember(const order& o) {
    constexpr std::size_t most = 1'024;
    recent_.size() < most ? recent_.push_back(o) : void(recent_[number_ % most] = o);
  }
  std::string some_nonsense() {
    static constexpr std::array<std::string_view, 6> nonsense{
        "N 3 7 ACME B 10", "N 3 7 ACME B -5 10.00", "N 3 x ACME S 10 10.00", "Q 3 7 ACME", "N 3 7 ACME B 10 1e9", ""};
    return std::string(nonsense[dice_.below(nonsense.size())]);
  }

  const rules& by_;
  const session_options& options_;
  dice dice_;
  std::vector<std::int32_t> prices_;
  std::vector<order> recent_{};
  std::uint32_t number_ = 0;
  std::uint32_t bursting_ = 0;
  bool is_burst_ = false;
};

}  // namespace

session make_session(rules by, const session_options& options) {
  clients all(by, options);
  session made{by, std::vector<std::vector<shared_packet>>(by.feeds)};
  std::uint64_t left = options.orders;
  for (; left != 0; ++made.by.trading_rounds) {
    for (auto& feed : made.feeds) {
      packet p;
      const std::uint64_t size = std::min<std::uint64_t>(left, all.some_size());
      for (std::uint64_t i = 0; i != size; ++i) p.add(all.some_record());
      left -= size;
      feed.push_back(std::make_shared<const packet>(std::move(p)));
    }
  }
  const auto empty = std::make_shared<const packet>();
  for (auto& feed : made.feeds) feed.resize(made.by.rounds(), empty);
  return made;
}

}  // namespace market
