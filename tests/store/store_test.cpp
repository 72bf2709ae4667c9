// What a store promises to the threads and actors that use it.
#include "tact/store/store.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <map>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

#include "store/store_folder.hpp"
#include "support/catch.hpp"
#include "support/engine_fixture.hpp"
#include "tact/future.hpp"
#include "tact/store/store_service.hpp"
#include "tact/store/transacting.hpp"
#include "tact/tact.hpp"

namespace store_test {

namespace {

using namespace std::chrono_literals;
using tact::support::store_folder;
using names = tact::store<std::string, long>;

long sum_of(const names& table, const tact::store_snapshot& now) {
  long sum = 0;
  for (const auto& [name, n] : table.in(now)) sum += n;
  return sum;
}

TEST_CASE("store: what was put is found, by each thread and actor, and when the file is opened again") {
  const store_folder folder;
  {
    tact::engine engine(tact::support::quiet_options(2));
    const tact::store_file file(engine, folder / "a");
    const names table(file, "names");
    CHECK(!table.find("Ada"));
    table.put("Ada", 10);
    CHECK(table.find("Ada") == 10);
    const auto desk = engine.create(tact::store_service(table), tact::parallel);
    engine.ask(desk, tact::store_put<std::string, long>{"Alan", 20});
    CHECK(engine.ask(desk, tact::store_find<std::string, long>{"Ada"}) == 10);
    CHECK(engine.ask(desk, tact::store_find_or_put<std::string, long>{"Ada", 1}) == 10);
    CHECK(engine.ask(desk, tact::store_find_or_put<std::string, long>{"Grace", 1}) == 1);
    CHECK(engine.ask(desk, tact::store_erase<std::string>{"Grace"}));
    CHECK(!engine.ask(desk, tact::store_erase<std::string>{"Grace"}));
    CHECK(table.size() == 2);
  }
  tact::engine engine(tact::support::quiet_options(1));
  const tact::store_file file(engine, folder / "a");
  const names table(file, "names");
  CHECK(table.find("Ada") == 10);
  CHECK(table.find("Alan") == 20);
  CHECK(table.size() == 2);
}

TEST_CASE("store: a file whose handles have gone can be opened again at once, in the same engine") {
  const store_folder folder;
  tact::engine engine(tact::support::quiet_options(2));
  for (long n = 0; n < 20; ++n) {
    const tact::store_file file(engine, folder / "a", {.durable_within = n % 2 == 0 ? 0ms : 10s});
    const names table(file, "names");
    CHECK(table.size() == static_cast<std::size_t>(n));
    table.put(std::to_string(n), n);
  }
}

TEST_CASE("store: a snapshot stays as it was, in the order of its keys, while others write") {
  const store_folder folder;
  tact::engine engine(tact::support::quiet_options(2));
  const auto early = GENERATE(0ms, 10'000ms);
  const tact::store_file file(engine, folder / "a", {.durable_within = early});
  const tact::store<long, std::string> table(file, "numbers");
  std::map<long, std::string> model;
  for (long n = -50; n < 50; n += 3) {
    table.put(n, std::to_string(n));
    model[n] = std::to_string(n);
  }
  const auto before = file.snapshot();
  for (long n = -50; n < 50; ++n) table.put(n, "new");
  CHECK(table.erase(-50));
  std::map<long, std::string> seen;
  for (auto [k, v] : table.in(before)) {
    CHECK((seen.empty() || seen.rbegin()->first < k));
    seen.emplace(k, v);
  }
  CHECK(seen == model);
  CHECK(table.find(before, -50) == "-50");
  CHECK(!table.find(before, -49));
  std::vector<long> from_ten;
  for (auto [k, v] : table.in(before, 10)) from_ten.push_back(k);
  CHECK(from_ten.front() == 10);
  CHECK(from_ten.back() == 49);
  CHECK(!table.find(-50));
  CHECK(table.find(-49) == "new");
  CHECK(table.size() == 99);
}

TEST_CASE("transact: what threads count together is counted once each") {
  const store_folder folder;
  const auto early = GENERATE(0ms, 20ms);
  tact::engine engine(tact::support::quiet_options(2));
  const tact::store_file file(engine, folder / "a", {.durable_within = early});
  const names table(file, "names");
  std::atomic<unsigned> runs_most{0};
  const auto count = [&] {
    for (int n = 0; n < 25; ++n) {
      unsigned runs = 0;
      file.transact([&](tact::store_view& view) {
        ++runs;
        view.put(table, "count", view.find(table, "count").value_or(0) + 1);
      });
      unsigned most = runs_most.load();
      while (most < runs && !runs_most.compare_exchange_weak(most, runs)) {
      }
    }
  };
  std::vector<std::thread> threads;
  for (int n = 0; n < 8; ++n) threads.emplace_back(count);
  for (auto& t : threads) t.join();
  CHECK(table.find("count") == 200);
  CHECK(runs_most <= 4);
}

struct transfer {
  using reply = bool;
  long from, to, cents;
};

TEST_CASE("transacting: money that actors move is neither lost nor made, whatever a snapshot sees") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  tact::engine engine(tact::support::quiet_options(workers));
  const store_folder folder;
  const auto early = GENERATE(0ms, 20ms);
  const tact::store_file file(engine, folder / "a", {.durable_within = early});
  const tact::store<long, long> accounts(file, "accounts");
  const tact::store<long, long> moved(file, "moved");
  constexpr long count = 10;
  file.transact([&](tact::store_view& view) {
    for (long n = 0; n < count; ++n) view.put(accounts, n, 100);
  });
  const auto desk =
      engine.create(tact::transacting<transfer>(file,
                                                [=](tact::store_view& view, const transfer& t) {
                                                  const long has = *view.find(accounts, t.from);
                                                  if (has < t.cents || t.from == t.to) return false;
                                                  view.put(accounts, t.from, has - t.cents);
                                                  view.put(accounts, t.to, *view.find(accounts, t.to) + t.cents);
                                                  view.put(moved, 0, view.find(moved, 0).value_or(0) + 1);
                                                  return true;
                                                }),
                    tact::parallel);
  std::vector<std::future<bool>> answers;
  long seen_wrong = 0;
  for (long n = 0; n < 100; ++n) {
    answers.push_back(engine.ask_future(desk, transfer{n % count, n * 7 % count, n % 13}));
    const auto now = file.snapshot();
    long sum = 0;
    for (const auto& [k, v] : accounts.in(now)) sum += v;
    seen_wrong += sum != count * 100;
  }
  if (engine.workers() == 0) engine.run_until_idle();
  long done = 0;
  for (auto& a : answers) done += a.get();
  CHECK(seen_wrong == 0);
  CHECK(done > 0);
  CHECK(moved.find(0) == done);
}

TEST_CASE("transact: one that walks through a range sees an entry that came into it meanwhile") {
  const store_folder folder;
  tact::engine engine(tact::support::quiet_options(2));
  const tact::store_file file(engine, folder / "a");
  const tact::store<long, long> table(file, "numbers");
  table.put(1, 1);
  table.put(9, 9);
  unsigned runs = 0;
  const long sum = file.transact([&](tact::store_view& view) {
    long all = 0;
    view.for_each(table, 0L, [&](long k, long v) {
      all += v;
      return k < 9;
    });
    if (++runs == 1) {
      std::thread([&] { table.put(20, 20); }).join();  // behind what it has looked at
    }
    if (runs == 1) {
      std::thread([&] { table.put(5, 5); }).join();
    }
    view.put(table, 100, all);
    return all;
  });
  CHECK(runs == 2);
  CHECK(sum == 15);
  runs = 0;
  file.transact([&](tact::store_view& view) {
    view.for_each(table, 0L, [&](long k, long) { return k < 9; });
    if (++runs == 1) std::thread([&] { table.put(21, 20); }).join();
    view.put(table, 101, 0);
  });
  CHECK(runs == 1);
}

TEST_CASE("transact: it runs four times at most, and the last time nothing can come before it") {
  const store_folder folder;
  tact::engine engine(tact::support::quiet_options(2));
  const tact::store_file file(engine, folder / "a");
  const names table(file, "names");
  unsigned runs = 0;
  file.transact([&](tact::store_view& view) {
    const long n = view.find(table, "x").value_or(0);
    if (++runs < 4) std::thread([&] { table.put("x", n + 10); }).join();
    view.put(table, "x", n + 1);
  });
  CHECK(runs == 4);
  CHECK(table.find("x") == 31);
}

TEST_CASE("transact: a function that throws has changed nothing, also where it runs in the writer") {
  const store_folder folder;
  tact::engine engine(tact::support::quiet_options(2));
  const tact::store_file file(engine, folder / "a");
  const names table(file, "names");
  table.put("x", 1);
  unsigned runs = 0;
  const auto throws_in_run = [&](unsigned which) {
    runs = 0;
    file.transact([&](tact::store_view& view) {
      const long n = view.find(table, "x").value_or(0);
      view.put(table, "y", n);
      if (++runs == which) throw std::runtime_error("not now");
      std::thread([&] { table.put("x", n + 10); }).join();
    });
  };
  CHECK_THROWS_WITH(throws_in_run(1), "not now");
  CHECK_THROWS_WITH(throws_in_run(4), "not now");
  CHECK(!table.find("y"));
  const auto desk =
      engine.create(tact::transacting<transfer>(file, [=](tact::store_view& view, const transfer&) -> bool {
        view.put(table, "y", 1);
        throw std::runtime_error("no transfer");
      }));
  CHECK_THROWS_WITH(engine.ask(desk, transfer{}), Catch::Matchers::Contains("no transfer"));
  CHECK(!table.find("y"));
}

TEST_CASE("store: a write that changes nothing makes no version") {
  const store_folder folder;
  tact::engine engine(tact::support::quiet_options(2));
  const tact::store_file file(engine, folder / "a");
  const names table(file, "names");
  table.put("x", 1);
  const auto version = file.snapshot().version();
  table.put("x", 1);
  CHECK(!table.erase("y"));
  file.transact([&](tact::store_view& view) { CHECK(view.find(table, "x") == 1); });
  CHECK(file.snapshot().version() == version);
  table.put("x", 2);
  CHECK(file.snapshot().version() > version);
}

TEST_CASE("store: what waits goes into one commit") {
  const store_folder folder;
  tact::engine engine(tact::support::quiet_options(2));
  const tact::store_file file(engine, folder / "a");
  const tact::store<long, long> table(file, "numbers");
  const auto desk = engine.create(tact::store_service(table), tact::parallel);
  const auto before = file.snapshot().version();
  std::vector<std::future<void>> answers;
  file.transact([&](tact::store_view& view) { view.put(table, -1, 0); });
  for (long n = 0; n < 500; ++n) answers.push_back(engine.ask_future(desk, tact::store_put<long, long>{n, n}));
  for (auto& a : answers) a.get();
  CHECK(table.size() == 501);
  CHECK(file.snapshot().version() - before < 400);
}

TEST_CASE("own: what others write waits until the owner lets go, or its time is over, and is done then") {
  const store_folder folder;
  tact::engine engine(tact::support::quiet_options(2));
  const tact::store_file file(engine, folder / "a");
  const names table(file, "names");
  const auto desk = engine.create(tact::store_service(table), tact::parallel);
  {
    auto mine = file.own(1h);
    REQUIRE(mine);
    CHECK(!file.own(1h));
    auto other = engine.ask_future(desk, tact::store_put<std::string, long>{"x", 1});
    mine->transact([&](tact::store_view& view) {
      CHECK(!view.find(table, "x"));
      view.put(table, "x", 2);
    });
    CHECK(table.find("x") == 2);
    CHECK(mine->extend(1h));
    mine->release();
    other.get();
    CHECK(table.find("x") == 1);
    CHECK_THROWS_AS(mine->transact([&](tact::store_view& view) { view.put(table, "x", 3); }), tact::store_error);
  }
  {
    auto mine = file.own(1h);
    REQUIRE(mine);
    struct set_to {
      using reply = void;
      long n;
    };
    const auto setter = engine.create(
        tact::transacting<set_to>(*mine, [=](tact::store_view& view, const set_to& m) { view.put(table, "x", m.n); }));
    engine.ask(setter, set_to{4});
    CHECK(table.find("x") == 4);
    mine->release();
    table.put("x", 3);  // behind the owner
    CHECK_THROWS_WITH(engine.ask(setter, set_to{6}), Catch::Matchers::Contains("time of the owner"));
  }
  auto mine = file.own(1ms);
  REQUIRE(mine);
  table.put("x", 5);  // waits for the end of that time
  CHECK(!mine->extend(1h));
  CHECK(table.find("x") == 5);
}

TEST_CASE("watch: each change of the keys that are watched is told once, in order, behind its commit") {
  const store_folder folder;
  tact::engine engine(tact::support::quiet_options(2));
  const tact::store_file file(engine, folder / "a");
  const tact::store<long, long> table(file, "numbers");
  using changed = tact::store_changed<long, long>;
  struct all_seen {
    using reply = std::vector<changed>;
  };
  struct watcher : tact::actor<watcher, changed, tact::request<all_seen>> {
    void receive(tact::self<watcher>&, const changed& m) { seen.push_back(m); }
    void receive(tact::self<watcher>& self, const tact::request<all_seen>& m) { self.reply(m, seen); }
    std::vector<changed> seen;
  };
  const auto some = engine.spawn<watcher>();
  const auto all = engine.spawn<watcher>();
  const auto desk = engine.create(tact::store_service(table), tact::parallel);
  table.watch(some, 3, 5);
  engine.ask(desk, tact::store_watch<long, long>{all});
  for (long n = 1; n < 8; ++n) table.put(n, n * 10);
  table.put(4, 40);  // changes nothing
  CHECK(table.erase(4));
  engine.wait_idle();
  const auto seen = engine.ask(some, all_seen{});
  REQUIRE(seen.size() == 3);
  CHECK((seen[0].key == 3 && seen[0].value == 30));
  CHECK((seen[1].key == 4 && seen[1].value == 40));
  CHECK((seen[2].key == 4 && !seen[2].value));
  CHECK(seen[2].version == file.snapshot().version());
  CHECK(engine.ask(all, all_seen{}).size() == 8);
  engine.send(some, tact::delete_msg);
  table.put(3, 0);
  engine.wait_idle();
  CHECK(engine.ask(all, all_seen{}).size() == 9);
}

TEST_CASE("durable_within: a write is answered at once and seen at once, and is in the file when it is closed") {
  const store_folder folder;
  {
    tact::engine engine(tact::support::quiet_options(2));
    const tact::store_file file(engine, folder / "a", {.durable_within = 1h});
    const names table(file, "names");
    const auto version = file.snapshot().version();
    for (long n = 0; n < 100; ++n) table.put(std::to_string(n), n);
    CHECK(table.erase("7"));
    CHECK(table.size() == 99);
    CHECK(!table.find("7"));
    CHECK(sum_of(table, file.snapshot()) == 4950 - 7);
    CHECK(file.snapshot().version() == version);
  }
  tact::engine engine(tact::support::quiet_options(2));
  const tact::store_file file(engine, folder / "a");
  const names table(file, "names");
  CHECK(table.size() == 99);
  CHECK(sum_of(table, file.snapshot()) == 4950 - 7);
}

TEST_CASE("store: a handler must not wait for a write, and is told what to do instead") {
  const store_folder folder;
  tact::engine engine(tact::support::quiet_options(2));
  const tact::store_file file(engine, folder / "a");
  const names table(file, "names");
  struct ask_it {
    using reply = std::string;
  };
  const auto actor =
      engine.create(tact::behavior<tact::request<ask_it>>{[=](auto& self, const tact::request<ask_it>& m) {
        try {
          table.put("x", 1);
          self.reply(m, std::string());
        } catch (const tact::usage_error& e) {
          self.reply(m, std::string(e.what()));
        }
      }});
  CHECK(engine.ask(actor, ask_it{}).find("tact::store_service") != std::string::npos);
}

TEST_CASE("store: a table, a snapshot and a transaction of two files do not go together") {
  const store_folder folder;
  tact::engine engine(tact::support::quiet_options(2));
  const tact::store_file a(engine, folder / "a");
  const tact::store_file b(engine, folder / "b");
  const names in_a(a, "names");
  CHECK_THROWS_AS(in_a.find(b.snapshot(), "x"), tact::usage_error);
  CHECK_THROWS_AS(b.transact([&](tact::store_view& view) { return view.find(in_a, "x"); }), tact::usage_error);
}

}  // namespace

}  // namespace store_test
