#include "market.hpp"

#include <algorithm>
#include <chrono>
#include <iostream>
#include <numeric>
#include <stdexcept>
#include <tact/patterns/paced.hpp>
#include <tact/patterns/registry.hpp>
#include <tact/patterns/supervisor.hpp>
#include <tact/patterns/topic.hpp>
#include <utility>
#include <vector>

#include "auditor.hpp"
#include "clients.hpp"
#include "feed.hpp"
#include "feed_handler.hpp"
#include "ledger.hpp"
#include "round_clock.hpp"

namespace market {
namespace {

using namespace std::chrono_literals;

class trading_floor {
 public:
  trading_floor(tact::engine& engine, std::shared_ptr<const session> day, taking how)
      : engine_(engine),
        day_(std::move(day)),
        names_(engine),
        all_(engine),
        handlers_(engine, {.restarts = 100'000, .within = 1s, .name = "feed handlers"}) {
    enter("tapes", all_.create(tact::topic<tape>(), tact::named("tapes")));
    enter("quotes", all_.create(tact::topic<book_quote>(), tact::named("quotes")));
    enter("auditor", auditor_ = all_.spawn<auditor>(tact::named("auditor"), by()));
    enter("clock", clock_ = all_.spawn<round_clock>(tact::named("clock"), names_, by()));
    for (std::size_t i = 0; i != by().ledgers; ++i) open(ledgers_, "ledger", i, names_, by(), i);
    for (std::size_t i = 0; i != by().books; ++i) open(books_, "book", i, names_, by(), i, how);
    for (std::size_t i = 0; i != by().feeds; ++i) open_line(i);
    subscribe();
  }

  void open() {
    engine_.send(clock_, open_market{});
    engine_.wait_idle();
  }
  figures count() {
    figures f;
    for (const auto& a : feeds_) f.day.feeds.push_back(engine_.ask(a, feed_question{}));
    for (const auto& a : ledgers_) f.day.ledgers.push_back(engine_.ask(a, ledger_question{}));
    for (const auto& a : books_) f.day.books.push_back(engine_.ask(a, book_question{}));
    for (const auto& a : books_) f.published.push_back(engine_.ask(a, published_question{}));
    f.audits = engine_.ask(auditor_, audit_question{});
    (void)engine_.ask(screen_, screen_question{});  // when it has shown the last quote it is told what it has missed
    engine_.wait_idle();
    for (const auto& a : readers_) f.readers.push_back(engine_.ask(a, reader_question{}));
    f.screen = engine_.ask(screen_, screen_question{});
    f.restarts = handlers_.restarts();
    return f;
  }

 private:
  [[nodiscard]] const rules& by() const { return day_->by; }
  template <class P>
  void enter(const std::string& name, tact::ref<P> who) {
    if (!names_.add(name, who)) throw std::logic_error("the market has two that are called " + name);
  }
  template <class A, class... Args>
  void open(std::vector<tact::ref<A>>& all, const char* what, std::size_t number, Args&&... args) {
    const auto name = name_of(what, number);
    enter(name, all.emplace_back(all_.spawn<A>(tact::named(name), std::forward<Args>(args)...)));
  }
  // A feed, and the handler that may crash.
  void open_line(std::size_t number) {
    const auto handler =
        handlers_.spawn<feed_handler>(tact::restartable, tact::named(name_of("handler", number)), names_, by(), number);
    const auto name = name_of("feed", number);
    enter(name, feeds_.emplace_back(all_.create(open_feed(day_, number, handler), tact::named(name))));
  }
  void subscribe() {
    const auto tapes = names_.find<tact::topic_protocol<tape>>("tapes");
    const auto quotes = names_.find<tact::topic_protocol<book_quote>>("quotes");
    for (std::size_t i = 0; i != 2; ++i) {
      readers_.push_back(all_.spawn<tape_reader>(tact::named(name_of("reader", i))));
      engine_.ask(tapes, tact::subscribe_topic<tape>{readers_.back()});
    }
    screen_ = all_.spawn<slow_screen>(tact::named("screen"), 500us);
    const auto relay = all_.create(tact::paced<book_quote>(screen_, 2));
    engine_.ask(quotes, tact::subscribe_topic<book_quote>{relay});
  }

  tact::engine& engine_;
  std::shared_ptr<const session> day_;
  tact::registry names_;
  tact::scope all_;
  tact::supervisor handlers_;  // starts a handler that has crashed anew

  tact::ref<auditor> auditor_{};
  tact::ref<round_clock> clock_{};
  std::vector<tact::ref<ledger>> ledgers_{};
  std::vector<tact::ref<matcher>> books_{};
  std::vector<tact::ref<feed_protocol>> feeds_{};
  std::vector<tact::ref<tape_reader>> readers_{};
  tact::ref<slow_screen> screen_{};
};

}  // namespace

tact::engine_options market_options() {
  tact::engine_options options;
  options.on_failure = [](const tact::failure_report& r) {
    if (r.name.rfind("handler", 0) != 0) std::cerr << "market: " << r.name << ": " << r.what << '\n';
  };
  return options;
}

figures run_day(tact::engine& engine, const std::shared_ptr<const session>& day, taking how) {
  trading_floor floor(engine, day, how);
  const auto begin = std::chrono::steady_clock::now();
  floor.open();
  const std::chrono::duration<double> time = std::chrono::steady_clock::now() - begin;
  figures f = floor.count();
  f.seconds = time.count();
  return f;
}

namespace {

// All accounts together.
struct wealth {
  cents cash = 0;
  std::vector<shares> stock{};
  cents exposure = 0;
  friend bool operator==(const wealth&, const wealth&) = default;
};
wealth sum_up(const day_figures& day, std::size_t books) {
  wealth sum{0, std::vector<shares>(books), 0};
  for (const ledger_figures& l : day.ledgers) {
    for (const account& a : l.accounts) {
      sum.cash += a.cash();
      sum.exposure += a.exposure();
      for (std::size_t i = 0; i != books; ++i) sum.stock[i] += a.holdings()[i];
    }
  }
  return sum;
}

// Have the readers read all trades, and does the screen know of all quotes?
bool knows_all(const figures& f) {
  std::uint64_t trades = 0, quotes = 0;
  shares volume = 0;
  for (const book_figures& b : f.day.books) trades += b.trades, volume += b.volume;
  for (const published_figures& p : f.published) quotes += p.quotes;
  const auto has_read_all = [&](const reader_figures& r) { return r.trades == trades && r.volume == volume; };
  return std::all_of(f.readers.begin(), f.readers.end(), has_read_all) && f.screen.shown + f.screen.missed == quotes;
}

}  // namespace

std::string find_fault(const session& day, const figures& f) {
  const rules& by = day.by;
  const auto has_stopped = [&](const feed_figures& feed) { return feed.rounds != by.rounds(); };
  if (std::any_of(f.day.feeds.begin(), f.day.feeds.end(), has_stopped)) return "a feed stopped before its end";
  const auto accounts = static_cast<std::int64_t>(by.accounts);
  const wealth morning{accounts * by.opening_cash, std::vector<shares>(by.books, accounts * by.opening_shares), 0};
  if (sum_up(f.day, by.books) != morning) return "money or shares were lost or made";
  if (f.audits.failed != 0) return "an audit in the course of the day failed";
  if (f.audits.passed != by.audits()) return "an audit was not finished";
  if (!knows_all(f)) return "a client does not know of all that was published";
  const auto crashes = std::accumulate(f.day.feeds.begin(), f.day.feeds.end(), std::uint64_t{0},
                                       [](auto sum, const feed_figures& feed) { return sum + feed.crashes; });
  if (f.restarts != crashes) return "a handler crashed and was not restarted";
  return {};
}

}  // namespace market
