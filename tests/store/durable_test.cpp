// What a durable actor promises: what it has answered or sent is never forgotten, and what it has not committed was
// never seen.
#include "tact/store/durable.hpp"

#include <atomic>
#include <chrono>
#include <string>
#include <vector>

#include "store/store_folder.hpp"
#include "support/catch.hpp"
#include "support/engine_fixture.hpp"
#include "tact/future.hpp"
#include "tact/simulation.hpp"
#include "tact/store/store.hpp"
#include "tact/tact.hpp"

namespace durable_test {

namespace {

using namespace std::chrono_literals;
using tact::support::quiet_options;
using tact::support::store_folder;

struct deposit {
  long cents = 0;
};
struct balance {
  using reply = long;
};
struct note {
  using reply = bool;
  std::string word;
};
struct words {
  using reply = std::vector<std::string>;
};
struct pass_on {
  std::string to;
  long first = 0, count = 0;
};
struct wake {
  long cents = 0;
};
struct close_account {};
struct account_protocol : tact::protocol<deposit, tact::request<balance>, tact::request<note>, tact::request<words>,
                                         pass_on, wake, close_account> {};

struct account {
  long cents = 0;
  std::vector<long> deposits{};
  tact::map<std::string, long> noted{};
};

tact::ref<account_protocol> open_account(tact::engine& engine, const tact::store_file& file, const std::string& name) {
  return tact::create_durable<account_protocol>(
      engine, file, name, account{},
      [](auto& self, account now, const deposit& m) {
        if (m.cents == 0) throw std::runtime_error("a deposit of nothing");
        now.cents += m.cents;
        now.deposits.push_back(m.cents);
        self.become(now);
      },
      [](auto& self, const account& now, const tact::request<balance>& m) { self.reply(m, now.cents); },
      [](auto& self, account now, const tact::request<note>& m) {
        now.noted = now.noted.insert(m.body.word, now.cents);
        self.become(now);
        self.reply(m, true);
      },
      [](auto& self, const account& now, const tact::request<words>& m) {
        std::vector<std::string> all;
        for (const auto& [word, n] : now.noted) all.push_back(word);
        self.reply(m, all);
      },
      [](auto& self, account now, const pass_on& m) {
        for (long n = 0; n < m.count; ++n) {
          self.send(tact::durable_ref<account_protocol>{m.to}, deposit{m.first + n});
          now.cents -= m.first + n;
        }
        self.become(now);
      },
      [](auto& self, const account&, const wake& m) {
        self.send_after(m.cents == 1 ? 1ns : std::chrono::nanoseconds(1h), deposit{m.cents});
      },
      [](auto& self, const account&, const close_account&) { self.stop(); });
}

// The rows of a table that belongs to the durable actors.
std::size_t count_rows(const tact::store_file& file, const char* table) {
  auto& disk = tact::detail::store_access::core_of(file).front().file();
  const auto now = disk.read();
  return now.size(disk.table(table));
}

TEST_CASE("durable: an actor goes on from its last commit when its file is opened again", "[law14]") {
  const store_folder folder;
  for (long n = 0; n < 5; ++n) {
    tact::engine engine(quiet_options(2));
    const tact::store_file file(engine, folder / "a");
    const auto ada = open_account(engine, file, "Ada");
    CHECK(engine.ask(ada, balance{}) == n * 10);
    CHECK(engine.ask(ada, words{}).size() == static_cast<std::size_t>(n));
    engine.send(ada, deposit{10});
    CHECK(engine.ask(ada, note{std::to_string(n)}));
    CHECK(engine.ask(ada, balance{}) == n * 10 + 10);
  }
}

TEST_CASE("durable: an answer comes when all that it rests on is in the file", "[law14]") {
  const store_folder folder;
  tact::engine engine(quiet_options(2));
  const tact::store_file file(engine, folder / "a");
  const auto ada = open_account(engine, file, "Ada");
  for (long n = 1; n <= 20; ++n) {
    engine.send(ada, deposit{n});
    engine.send(ada, deposit{n});
    CHECK(engine.ask(ada, balance{}) == n * (n + 1));
    const auto core = tact::detail::store_access::shared_core_of(file);
    auto& disk = core->front().file();
    const auto now = disk.read();
    const auto cents = now.find(disk.table("tact.actors"), tact::detail::row_key("Ada", "cents"));
    REQUIRE(cents);
    CHECK(tact::detail::value_from<long>(core->front(), *cents) == n * (n + 1));
  }
}

TEST_CASE("durable: of a table in the state only what has changed is written") {
  const store_folder folder;
  tact::engine engine(quiet_options(2));
  const tact::store_file file(engine, folder / "a");
  const auto ada = open_account(engine, file, "Ada");
  for (int n = 0; n < 100; ++n) CHECK(engine.ask(ada, note{std::to_string(n)}));
  CHECK(count_rows(file, "tact.entries") == 100);
  CHECK(count_rows(file, "tact.actors") == 3);  // that of the actor, and of each member that is no table
  engine.send(ada, close_account{});
  engine.wait_idle();
  CHECK(count_rows(file, "tact.entries") == 0);
  CHECK(count_rows(file, "tact.actors") == 0);
}

TEST_CASE("durable: a handler that throws has done nothing, and the next one goes on from the state before it",
          "[law14]") {
  const store_folder folder;
  tact::engine engine(quiet_options(2));
  const tact::store_file file(engine, folder / "a");
  const auto ada = open_account(engine, file, "Ada");
  engine.send(ada, deposit{5});
  engine.send(ada, deposit{0});
  engine.send(ada, deposit{5});
  CHECK(engine.ask(ada, balance{}) == 10);
}

TEST_CASE("durable: what one sends to another is taken once and in order, also by one that is made after a crash",
          "[law14]") {
  const store_folder folder;
  {
    tact::engine engine(quiet_options(2));
    const tact::store_file file(engine, folder / "a");
    const auto ada = open_account(engine, file, "Ada");
    engine.send(ada, pass_on{"Alan", 1, 10});
    engine.wait_idle();
    CHECK(count_rows(file, "tact.inbox") == 10);
  }
  for (int n = 0; n < 3; ++n) {
    tact::engine engine(quiet_options(2));
    const tact::store_file file(engine, folder / "a");
    const auto alan = open_account(engine, file, "Alan");
    engine.wait_idle();
    CHECK(engine.ask(alan, balance{}) == 55);
    CHECK(count_rows(file, "tact.inbox") == 0);
    const auto ada = open_account(engine, file, "Ada");
    engine.send(ada, pass_on{"Alan", 1, 10});
    engine.wait_idle();
    CHECK(engine.ask(alan, balance{}) == 110);
    CHECK(engine.ask(ada, balance{}) == -110);
    CHECK(count_rows(file, "tact.inbox") == 0);
    if (n == 2) break;
    engine.send(ada, pass_on{"Alan", 0, 1});  // is put aside: its handler throws
    engine.wait_idle();
    CHECK(count_rows(file, "tact.aside") == static_cast<std::size_t>(n + 1));
    engine.send(ada, pass_on{"Alan", -55, 1});
    engine.wait_idle();
  }
}

TEST_CASE("durable: a timer lasts, and its message comes when the actor is made again", "[law14]") {
  const store_folder folder;
  {
    tact::engine engine(quiet_options(2));
    const tact::store_file file(engine, folder / "a");
    const auto ada = open_account(engine, file, "Ada");
    engine.send(ada, wake{2});
    engine.send(ada, wake{1});
    CHECK(engine.ask(ada, balance{}) >= 0);
    engine.cancel();
  }
  tact::engine engine(quiet_options(2));
  const tact::store_file file(engine, folder / "a");
  const auto ada = open_account(engine, file, "Ada");
  long cents = 0;
  while (cents == 0) cents = engine.ask(ada, balance{});
  CHECK(cents == 1);
  CHECK(count_rows(file, "tact.timers") == 1);
  engine.cancel();
}

TEST_CASE("durable: a timer comes once, also when its actor has begun anew since, and none comes when it has stopped",
          "[law14]") {
  const store_folder folder;
  tact::simulation sim(1);
  tact::engine& engine = sim.engine(quiet_options(1));
  const tact::store_file file(engine, folder / "a");
  const auto ada = open_account(engine, file, "Ada");
  engine.send(ada, wake{2});
  CHECK(engine.ask(ada, balance{}) == 0);
  CHECK_THROWS_AS(engine.ask(ada, note{std::string(600, 'x')}), tact::ask_error);  // is refused: it begins anew
  CHECK(engine.ask(ada, balance{}) == 0);
  sim.advance(2h);
  CHECK(engine.ask(ada, balance{}) == 2);
  CHECK(count_rows(file, "tact.timers") == 0);
  engine.send(ada, wake{3});
  engine.send(ada, close_account{});
  sim.run();
  CHECK(count_rows(file, "tact.timers") == 0);
  const auto next = open_account(engine, file, "Ada");
  sim.advance(2h);
  CHECK(engine.ask(next, balance{}) == 0);
}

TEST_CASE("durable: what was sent before a stop is not mixed up with what a later actor of that name sends",
          "[law14]") {
  const store_folder folder;
  tact::engine engine(quiet_options(2));
  const tact::store_file file(engine, folder / "a");
  for (long n = 0; n < 3; ++n) {
    const auto ada = open_account(engine, file, "Ada");
    CHECK(engine.ask(ada, balance{}) == 0);
    engine.send(ada, pass_on{"Alan", 1, 2});
    engine.send(ada, close_account{});
    engine.wait_idle();
    CHECK(count_rows(file, "tact.inbox") == static_cast<std::size_t>(n + 1) * 2);
  }
  const auto alan = open_account(engine, file, "Alan");
  CHECK(engine.ask(alan, balance{}) == 9);
  engine.send(open_account(engine, file, "Ada"), pass_on{"Alan", 1, 2});
  engine.wait_idle();
  CHECK(engine.ask(alan, balance{}) == 12);
}

TEST_CASE("durable: with a second actor of its name the first one writes no more, and says so", "[law14]") {
  const store_folder folder;
  tact::engine engine(quiet_options(2));
  const tact::store_file file(engine, folder / "a");
  const auto first = open_account(engine, file, "Ada");
  engine.send(first, deposit{1});
  CHECK(engine.ask(first, balance{}) == 1);
  const auto second = open_account(engine, file, "Ada");
  CHECK(engine.ask(second, balance{}) == 1);
  CHECK_THROWS_AS(engine.ask(first, note{"x"}), tact::ask_error);
  CHECK(engine.ask(second, words{}).empty());
}

TEST_CASE("durable: a write that is refused is told to those who wait, and the actor goes on from its last commit",
          "[law14]") {
  const store_folder folder;
  tact::engine engine(quiet_options(2));
  const tact::store_file file(engine, folder / "a");
  const auto ada = open_account(engine, file, "Ada");
  engine.send(ada, deposit{1});
  CHECK(engine.ask(ada, balance{}) == 1);
  CHECK_THROWS_WITH(engine.ask(ada, note{std::string(600, 'x')}), Catch::Matchers::Contains("refused"));
  CHECK(engine.ask(ada, balance{}) == 1);
  CHECK(engine.ask(ada, words{}).empty());
  CHECK(engine.ask(ada, note{"y"}));
}

struct other_account {
  long cents = 0;
  long added = 7;
};
struct wrong_account {
  std::vector<long> cents{};
};
struct look {
  using reply = long;
};
struct look_protocol : tact::protocol<tact::request<look>> {};

TEST_CASE("durable: members may come and go; a state that cannot be read is a failure of that actor alone") {
  const store_folder folder;
  tact::engine engine(quiet_options(2));
  const tact::store_file file(engine, folder / "a");
  const auto ada = open_account(engine, file, "Ada");
  engine.send(ada, deposit{3});
  CHECK(engine.ask(ada, balance{}) == 3);
  const auto other = tact::create_durable<look_protocol>(
      engine, file, "Ada", other_account{},
      [](auto& self, const other_account& now, const tact::request<look>& m) { self.reply(m, now.cents + now.added); });
  CHECK(engine.ask(other, look{}) == 10);
  const auto wrong = tact::create_durable<look_protocol>(
      engine, file, "Ada", wrong_account{},
      [](auto& self, const wrong_account&, const tact::request<look>& m) { self.reply(m, 0L); });
  CHECK_THROWS_WITH(engine.ask(wrong, look{}), Catch::Matchers::Contains("Ada"));
  const auto again = open_account(engine, file, "Ada");
  CHECK(engine.ask(again, balance{}) == 3);
}

TEST_CASE("durable: many actors move money among them, and none is lost or made", "[law14]") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  const store_folder folder;
  constexpr long count = 8;
  for (int round = 0; round < 2; ++round) {
    tact::engine engine(quiet_options(workers));
    const tact::store_file file(engine, folder / "a", {.durable_within = round == 0 ? 0ms : 3'600'000ms});
    std::vector<tact::ref<account_protocol>> all;
    for (long n = 0; n < count; ++n) all.push_back(open_account(engine, file, std::to_string(n)));
    for (long n = 0; n < 60; ++n) {
      engine.send(all[static_cast<std::size_t>(n % count)],
                  pass_on{std::to_string(n * 5 % count), 1 + n % 3, 1 + n % 4});
    }
    engine.wait_idle();
    long sum = 0;
    for (const auto& a : all) sum += engine.ask(a, balance{});
    CHECK(sum == 0);
    CHECK(count_rows(file, "tact.inbox") == 0);
  }
}

}  // namespace

}  // namespace durable_test
