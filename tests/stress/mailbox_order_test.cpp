// Mailboxes with an order under load: nothing is lost uncounted, what is equal stays in order, limits hold.
#include <atomic>
#include <vector>

#include "stress/store.hpp"

namespace mailbox_order_test {

using namespace tact::store_tests;
using tact::mailbox_limit;
using tact::when_full;

TEST_CASE("mailbox order: each message is handled or counted as lost, and equal ones stay in order",
          "[law1][law4][law5]") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  const auto limit = GENERATE(mailbox_limit{}, mailbox_limit{.messages = 50, .when_full = when_full::reject},
                              mailbox_limit{.messages = 50, .when_full = when_full::drop_newest},
                              mailbox_limit{.messages = 50, .when_full = when_full::drop_oldest},
                              mailbox_limit{.messages = 50, .when_full = when_full::hold_back});
  require_all_counted(workers, limit, priorities, tact::by_priority(by_its_priority));
}

TEST_CASE("mailbox order: all that waits behind a handler is handled in the order of the mailbox", "[law5]") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  constexpr unsigned threads = 3;
  const int each = scaled(2'000);
  door shut;
  std::vector<item> seen;
  tact::engine engine(quiet_options(workers));
  const auto to = engine.create(open_store([&seen](const item& m) { seen.push_back(m); }), tact::blocking,
                                tact::by_priority(by_its_priority));
  let_wait(engine, to, shut);
  on_threads(threads, [&](unsigned who) {
    for (int i = 1; i <= each; ++i) engine.send(to, item{static_cast<int>(who), i, i * 7 % priorities});
  });
  shut.open();
  require_idle(engine);
  REQUIRE(seen.size() == threads * static_cast<std::size_t>(each));
  books b(threads);
  for (std::size_t i = 0; i < seen.size(); ++i) {
    b.note(seen[i]);
    if (i != 0 && seen[i - 1].priority < seen[i].priority) FAIL("a message was handled before a more urgent one");
  }
  CHECK(b.in_order);
}

TEST_CASE("mailbox order: actors that end while threads send leave nothing, and their askers hear", "[law8][law13]") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  constexpr unsigned threads = 3;
  const int rounds = scaled(200);
  const nothing_left left;
  tact::engine engine(quiet_options(workers));
  for (int round = 0; round < rounds; ++round) {
    books b(threads);
    // The function has state, which threads may be calling when the actor ends.
    auto only = engine.create(open_store(b), tact::owned,
                              tact::by_priority([kept = tracked()](const item& m) { return m.priority; }));
    const auto to = only.ref();
    std::atomic<int> heard{0};
    on_threads(threads + 1, [&](unsigned who) {
      if (who == threads) {
        only = {};
        return;
      }
      for (int i = 1; i <= 20; ++i) engine.send(to, item{static_cast<int>(who), i, i % priorities});
      try {
        heard += engine.ask(to, query{}, generous).has_value();
      } catch (const tact::ask_error&) {
        ++heard;
      }
    });
    CHECK(heard == threads);
    require_idle(engine);
    CHECK(b.in_order);
  }
}

}  // namespace mailbox_order_test
