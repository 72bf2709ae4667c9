// The market: its figures are those of a plain loop in each schedule, whatever crashes; and what is wrong is found.
#include "market.hpp"

#include <array>
#include <tact/tact.hpp>

#include "auditor.hpp"
#include "days.hpp"
#include "support/catch.hpp"
#include "support/seed.hpp"

namespace market_test {

namespace {

using namespace market;
using market::tests::count;
using market::tests::short_day;

constexpr std::uint64_t short_days = 3;

// With each number of workers, of each day. Under a sanitizer there are fewer.
std::uint64_t schedules() { return tact::support::count_from_environment("TACT_ORDERS", 30); }

tact::engine_options options_with(unsigned workers) {
  auto options = market_options();
  options.workers = workers;
  return options;
}

tact::exploration simulate(std::uint64_t seeds, unsigned workers, const std::shared_ptr<const session>& day,
                           taking how) {
  const auto plain = std::make_shared<const day_figures>(plain_day(*day));
  const auto program = [=](tact::simulation& sim) {
    const auto f = run_day(sim.engine(options_with(workers)), day, how);
    sim.check(f.day == *plain, "other figures");
    const auto fault = find_fault(*day, f);
    sim.check(fault.empty(), fault);
  };
  return tact::explore(seeds, program, {.shrinking_runs = 0, .points_max = 2'000'000, .prints = false});
}

}  // namespace

TEST_CASE("market: on short days everything happens", "[market]") {
  TACT_SEEDED(seed);
  std::array<std::uint64_t, verdicts> orders{};
  for (std::uint64_t day = 0; day != short_days; ++day) {
    const auto plain = plain_day(*short_day(seed + day));
    for (std::size_t v = 0; v != verdicts; ++v) orders[v] += count(plain, static_cast<verdict>(v));
    std::uint64_t crashes = 0, malformed = 0;
    for (const feed_figures& f : plain.feeds) crashes += f.crashes, malformed += f.malformed;
    CHECK(malformed != 0);
    CHECK(crashes > malformed);
    for (const book_figures& b : plain.books) {
      CHECK(b.trades != 0);
      CHECK(b.cancelled != 0);
      CHECK(b.came_too_late != 0);
      CHECK(b.closed != 0);
    }
  }
  for (std::size_t v = 0; v != verdicts; ++v) {
    INFO(to_string(static_cast<verdict>(v)));
    CHECK(orders[v] != 0);
  }
}

TEST_CASE("market: the figures are the same to the last order in each schedule, with any number of workers",
          "[market][simulation]") {
  TACT_SEEDED(seed);
  for (const unsigned workers : {1U, 2U, 3U, 4U, 8U}) {
    for (std::uint64_t day = 0; day != short_days; ++day) {
      const auto result = simulate(schedules(), workers, short_day(seed + day), taking::in_order);
      INFO(workers << " workers, day " << day << ": " << result.what);
      REQUIRE_FALSE(result.failed);
    }
  }
}

TEST_CASE("market: the figures are the same to the last order on threads", "[market]") {
  TACT_SEEDED(seed);
  const auto day = short_day(seed, 20'000);
  const auto plain = plain_day(*day);
  for (const unsigned workers : {0U, 1U, 2U, 4U, 8U}) {
    INFO(workers << " workers");
    tact::engine engine(options_with(workers));
    const auto f = run_day(engine, day);
    REQUIRE(f.day == plain);
    REQUIRE(find_fault(*day, f).empty());
  }
}

TEST_CASE("market: one order, one round, one account, or more feeds than orders make a day as well", "[market]") {
  for (const std::uint64_t orders : {1U, 2U, 40U}) {
    rules by;
    by.accounts = 1;
    by.feeds = 7;
    const auto day = std::make_shared<const session>(make_session(by, {.orders = orders, .malformed_one_in = 2}));
    tact::engine engine(options_with(2));
    const auto f = run_day(engine, day);
    REQUIRE(f.day == plain_day(*day));
    REQUIRE(find_fault(*day, f).empty());
  }
}

TEST_CASE("market: a book that takes orders as they come is found", "[market][simulation]") {
  TACT_SEEDED(seed);
  for (const unsigned workers : {2U, 4U})
    REQUIRE(simulate(schedules(), workers, short_day(seed), taking::as_they_come).failed);
}

TEST_CASE("market: an audit fails when a cent or a share is too much or missing", "[market]") {
  rules by;
  by.books = 2;
  by.ledgers = 1;
  by.accounts = 3;
  const cents cash = 3 * by.opening_cash;
  const shares stock = 3 * by.opening_shares;
  tact::engine engine(options_with(1));
  const auto who = engine.spawn<auditor>(by);
  const auto audit = [&](round_number round, cents money, shares second) {
    engine.send(who, statement{round, money, {stock - 7, second - 5}});
    engine.send(who, statement{round, 0, {7, 0}});
    engine.send(who, statement{round, 0, {0, 5}});
    return engine.ask(who, audit_question{});
  };
  REQUIRE(audit(0, cash, stock) == audit_figures{1, 0});
  REQUIRE(audit(4, cash + 1, stock) == audit_figures{1, 1});
  REQUIRE(audit(8, cash - 1, stock) == audit_figures{1, 2});
  REQUIRE(audit(12, cash, stock + 1) == audit_figures{1, 3});
  REQUIRE(audit(16, cash, stock - 1) == audit_figures{1, 4});
  REQUIRE(audit(20, cash, stock) == audit_figures{2, 4});
}

}  // namespace market_test
