// Mailboxes with limits under load: nothing is lost uncounted, threads that are held back go on, memory stays bounded.
#include <atomic>
#include <thread>

#include "stress/store.hpp"
#include "tact/future.hpp"

namespace pressure_test {

using namespace tact::store_tests;
using tact::mailbox_limit;
using tact::send_result;
using tact::when_full;
using namespace std::chrono_literals;

TEST_CASE("pressure: with every policy each message is handled or counted as lost, in order", "[law1][law4][law5]") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  const auto policy = GENERATE(when_full::reject, when_full::drop_newest, when_full::drop_oldest, when_full::hold_back);
  require_all_counted(workers, mailbox_limit{.messages = 50, .when_full = policy}, 1);
}

TEST_CASE("pressure: an engine's limit holds back threads, and everything they bring is handled", "[law4][law5]") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  constexpr unsigned threads = 3;
  const int each = scaled(3'000);
  auto options = quiet_options(workers);
  options.outside_limit = {.messages = 20, .when_full = when_full::hold_back};
  books b(2 * threads);
  tact::engine engine(options);
  const auto to = engine.create(open_store(b), mailbox_limit{.messages = 10, .when_full = when_full::hold_back});
  const auto without = engine.create(open_store(b));
  const auto through = engine.create(open_relay(to));
  std::atomic<int> wrong{0};
  on_threads(threads, [&](unsigned who) {
    for (int i = 1; i <= each; ++i) {
      engine.send(to, item{static_cast<int>(who), i});
      if (i % 100 == 0) wrong += engine.ask(i % 200 == 0 ? to : without, query{}) != 42;
      if (who == 0 && i % 7 != 0) engine.send(through, item{threads, i});
    }
  });
  require_idle(engine);
  CHECK(wrong == 0);
  CHECK(b.in_order);
  CHECK(b.all() == static_cast<int>(threads) * each + 2 * (each - each / 7));
  CHECK(engine.statistics().refused == 0);
  for (const auto& d : engine.fullest_mailboxes()) CHECK(d.messages == 0);
}

TEST_CASE("pressure: a mailbox that drops its oldest stays small behind a handler that takes long", "[law10]") {
  TACT_FOR_EACH_THREAD_COUNT(workers);
  auto options = quiet_options(workers);
  options.dead_letters_kept = 0;
  books b(1);
  door gate;
  tact::engine engine(options);
  const auto to = engine.create(open_store(b), mailbox_limit{.messages = 100, .when_full = when_full::drop_oldest});
  let_wait(engine, to, gate);
  const auto fill = [&](int from, int count) {
    for (int i = from; i < from + count; ++i) engine.send(to, item{0, i});
  };
  fill(1, 1'000);
  const auto held = engine.statistics().bytes_held;
  fill(1'001, scaled(100'000));
  CHECK(engine.statistics().bytes_held <= held + 512);  // it may have come into one more block
  CHECK(engine.fullest_mailboxes(1).front().messages == 100);
  gate.open();
  require_idle(engine);
  CHECK(b.in_order);
  CHECK(b.count[0] == 100);
  CHECK(b.last[0] == 1'000 + scaled(100'000));
}

TEST_CASE("pressure: a thread that is held back goes on when there is room", "[law4]") {
  TACT_FOR_EACH_THREAD_COUNT(workers);
  books b(1);
  door gate;
  tact::engine engine(quiet_options(workers));
  const auto to = engine.create(open_store(b), mailbox_limit{.messages = 2, .when_full = when_full::hold_back});
  let_wait(engine, to, gate);  // its own room is free again
  engine.send(to, item{0, 1});
  engine.send(to, item{0, 2});
  CHECK(engine.try_send(to, item{0, 1000}) == send_result::full);
  CHECK(engine.send_for(1ms, to, item{0, 1000}) == send_result::full);
  CHECK(engine.ask(to, query{}, 1ms) == std::nullopt);
  auto late = engine.ask_future(to, query{});  // a thread that only posts is not held back
  std::thread held([&] {
    for (int i = 3; i <= 50; ++i) engine.send(to, item{0, i});
  });
  gate.open();
  held.join();
  require_idle(engine);
  CHECK_THROWS_AS(late.get(), tact::ask_error);
  CHECK(b.in_order);
  CHECK(b.count[0] == 50);
  CHECK(engine.statistics().refused == 1);
}

TEST_CASE("pressure: a thread that is held back wakes when the actor ends, or the engine", "[law4]") {
  TACT_FOR_EACH_THREAD_COUNT(workers);
  const bool engine_ends = GENERATE(true, false);
  books b(1);
  door gate;
  tact::engine engine(quiet_options(workers));
  const mailbox_limit limit{.messages = 1, .when_full = when_full::hold_back};
  tact::owner<store> owner = engine.create(open_store(b), limit, tact::owned);
  const auto to = owner.ref();
  let_wait(engine, to, gate);
  engine.send(to, item{0, 1});
  std::atomic<bool> begun{false};
  auto how = send_result::sent;
  std::thread held([&] {
    begun = true;
    how = engine.send_for(std::chrono::hours(1), to, item{0, 2});
  });
  while (!begun) std::this_thread::yield();
  std::thread ends;
  if (engine_ends) {
    ends = std::thread([&] { engine.cancel(); });
    held.join();  // while the handler still runs
    CHECK(how == send_result::engine_ended);
    gate.open();
    ends.join();
  } else {
    owner = {};  // an order to end comes behind the item, which no worker takes out before
    gate.open();
    held.join();
    CHECK((how == send_result::target_ended || how == send_result::sent));
    require_idle(engine);
  }
}

TEST_CASE("pressure: what waits for an actor that has ended is no part of the next one's mailbox", "[law4]") {
  TACT_SEEDED(seed);
  const nothing_left left;
  dice d(seed);
  struct heavy_item {
    tracked t{};
  };
  struct end {};
  struct mortal : tact::protocol<heavy_item, end> {};
  tact::engine engine(quiet_options(GENERATE(0U, 2U)));
  for (int i = 0; i < scaled(3'000); ++i) {
    const auto policy = d.below(2) == 0 ? when_full::drop_oldest : when_full::reject;
    const auto to = engine.create(
        tact::behavior<mortal>{[](auto&, const heavy_item&) {}, [](auto& self, const end&) { self.stop(); }},
        mailbox_limit{.messages = 1 + d.below(4), .when_full = policy}, tact::named("mortal"), tact::parallel);
    const unsigned before = d.below(5);
    for (unsigned n = 0; n < before; ++n) engine.send(to, heavy_item{});
    engine.send(to, end{});
    for (unsigned n = 0; n < 3; ++n) engine.send(to, heavy_item{});
    if (d.below(10) == 0) require_idle(engine);
  }
  require_idle(engine);
  for (const auto& depth : engine.fullest_mailboxes(10'000)) CHECK(depth.messages == 0);
  CHECK(engine.cancel(generous));
}

}  // namespace pressure_test
