#include "plain_day.hpp"

#include <deque>
#include <utility>

#include "order_book.hpp"
#include "record.hpp"

namespace market {
namespace {

class plain_market {
 public:
  explicit plain_market(const session& day) : day_(day), books_(day.by.books) {
    figures_.feeds.resize(by().feeds);
    figures_.ledgers.resize(by().ledgers);
    figures_.books.resize(by().books);
    for (std::size_t a = 0; a != by().accounts; ++a) {
      ledger_of(a).accounts.emplace_back(by().opening_cash, by().books, by().opening_shares);
    }
  }

  day_figures run() {
    for (round_ = 0; round_ != by().rounds(); ++round_) {
      if (round_ >= by().settlement_lag) settle();
      traded_.emplace_back();
      for (std::size_t f = 0; f != by().feeds; ++f) read(*day_.feeds[f][round_], figures_.feeds[f]);
      if (round_ == by().trading_rounds) close();
    }
    return std::move(figures_);
  }

 private:
  struct entry {
    std::size_t instrument;
    posting what;
  };

  [[nodiscard]] const rules& by() const { return day_.by; }
  ledger_figures& ledger_of(std::size_t account) { return figures_.ledgers[account % by().ledgers]; }
  account& account_of(std::uint32_t number) { return ledger_of(number).accounts[number / by().ledgers]; }

  void settle() {
    for (const entry& e : traded_.front()) account_of(e.what.account).apply(e.what, e.instrument);
    traded_.pop_front();
  }
  void read(const packet& p, feed_figures& feed) {
    std::uint64_t malformed = 0;
    for (std::size_t i = 0; i != p.size(); ++i) {
      try {
        take(parse_record(p[i], by().books));
      } catch (const malformed_record&) {
        ++malformed;
      }
    }
    ++feed.rounds;
    feed.records += p.size();
    feed.malformed += malformed;
    feed.crashes += malformed == 0 || p.size() == 1 ? malformed : malformed + 1;  // once in the packet, and then alone
  }
  void take(const order& o) {
    ledger_figures& ledger = ledger_of(o.account);
    const bool is_known = o.account < by().accounts && o.instrument != no_instrument;
    if (o.kind == order_kind::cancel && is_known) {
      ++ledger.cancels;
      return cancel(o);
    }
    auto v = o.account < by().accounts ? verdict::unknown_instrument : verdict::unknown_account;
    if (is_known) v = account_of(o.account).reserve(o, round_, by().risk);
    ++ledger.orders[static_cast<std::size_t>(v)];
    if (v == verdict::accepted) match(o);
  }
  void cancel(const order& o) {
    const auto rested = books_[o.instrument].cancel(o.account, o.number);
    ++(rested ? figures_.books[o.instrument].cancelled : figures_.books[o.instrument].came_too_late);
    if (rested) give_back(*rested);
  }
  void match(const order& o) {
    std::vector<trade> trades;
    ++figures_.books[o.instrument].orders;
    books_[o.instrument].place(o, trades);
    for (const trade& t : trades) {
      figures_.books[o.instrument].note(t);
      const cents reserved = cents{t.quantity} * t.buy.limit;
      post(o.instrument, {t.buy.account, t.quantity, reserved - t.value(), reserved});
      post(o.instrument, {t.sell.account, 0, t.value(), cents{t.quantity} * t.sell.limit});
    }
  }
  void give_back(const order& o) {
    const bool is_buyer = o.kind == order_kind::buy;
    post(o.instrument, {o.account, is_buyer ? 0 : o.quantity, is_buyer ? o.value() : 0, o.value()});
  }
  void close() {
    for (std::size_t b = 0; b != books_.size(); ++b) {
      for (const order& o : books_[b].close()) {
        give_back(o);
        ++figures_.books[b].closed;
      }
    }
  }
  void post(std::size_t instrument, const posting& p) { traded_.back().push_back({instrument, p}); }

  const session& day_;
  std::vector<order_book> books_;
  std::deque<std::vector<entry>> traded_{};  // in the rounds that are not settled yet
  round_number round_ = 0;
  day_figures figures_{};
};

}  // namespace

day_figures plain_day(const session& day) { return plain_market(day).run(); }

}  // namespace market
