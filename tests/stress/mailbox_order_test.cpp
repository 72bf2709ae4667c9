// Mailboxes with an order under load: nothing is lost uncounted, what is equal stays in order, limits hold.
#include <atomic>
#include <thread>
#include <vector>

#include "support/engine_fixture.hpp"
#include "tact/future.hpp"

namespace mailbox_order_test {

namespace {

using namespace tact::support;
using tact::mailbox_limit;
using tact::send_result;
using tact::when_full;

constexpr int priorities = 4;

struct item {
  int sender;
  int priority;
  int number;
};
struct wait_at {
  door* where;
  std::atomic<bool>* here;
};
struct query {
  using reply = int;
};
struct store : tact::protocol<wait_at, item, tact::request<query>> {};

const auto by_its_priority = [](const item& m) { return m.priority; };

// What an ordered actor has handled of each sender and priority.
struct books {
  explicit books(unsigned senders) : last(senders * priorities, 0) {}
  void note(const item& m) {
    int& before = last[static_cast<std::size_t>(m.sender * priorities + m.priority)];
    is_stable = is_stable && m.number > before;
    before = m.number;
    ++all;
  }

  std::vector<int> last;
  int all = 0;
  bool is_stable = true;
};

tact::behavior<store> open_store(books& b) {
  return {
      [](auto&, const wait_at& m) {
        *m.here = true;
        m.where->pass();
      },
      [&b](auto&, const item& m) { b.note(m); },
      [](auto& self, const tact::request<query>& m) { self.reply(m, 42); },
  };
}

// Sends on what it gets, each twice, or throws.
struct relay : tact::protocol<item> {};
tact::behavior<relay> open_relay(tact::ref<store> to) {
  return {[to](tact::self<relay>& self, const item& m) {
    self.send(to, item{m.sender, m.priority, 2 * m.number - 1});
    self.send(to, item{m.sender, m.priority, 2 * m.number});
    if (m.number % 7 == 0) throw std::runtime_error("thrown on purpose");
  }};
}

}  // namespace

TEST_CASE("mailbox order: each message is handled or counted as lost, and equal ones stay in order",
          "[law1][law4][law5]") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  const auto limit = GENERATE(mailbox_limit{}, mailbox_limit{.messages = 50, .when_full = when_full::reject},
                              mailbox_limit{.messages = 50, .when_full = when_full::drop_newest},
                              mailbox_limit{.messages = 50, .when_full = when_full::drop_oldest},
                              mailbox_limit{.messages = 50, .when_full = when_full::hold_back});
  constexpr unsigned threads = 3;
  const int each = scaled(3'000);
  auto options = quiet_options(workers);
  options.dead_letters_kept = 0;
  books b(2 * threads);
  tact::engine engine(options);
  const auto to = engine.create(open_store(b), limit, tact::by_priority(by_its_priority));
  std::vector<tact::ref<relay>> relays;
  for (unsigned i = 0; i < threads; ++i) relays.push_back(engine.create(open_relay(to)));
  std::atomic<int> not_sent{0};
  std::atomic<int> wrong{0};
  std::atomic<std::uint64_t> most_waiting{0};
  on_threads(threads, [&](unsigned who) {
    for (int i = 1; i <= each; ++i) {
      const item mine{static_cast<int>(who), i % priorities, i};
      if (i % 3 == 0) {
        const auto how = engine.try_send(to, mine);
        not_sent += how == send_result::full;
      } else {
        engine.send(to, mine);
      }
      if (i % 5 == 0) engine.send(relays[who], item{static_cast<int>(threads + who), i % priorities, i});
      if (i % 100 == 0 && limit && limit.when_full != when_full::hold_back) {
        const auto waiting = engine.fullest_mailboxes(1).front().messages;
        if (waiting > most_waiting) most_waiting = waiting;
      }
      // A request has priority 0 and may be lost where messages are; its asker always hears.
      if (i % 500 == 0) {
        try {
          wrong += engine.ask(to, query{}) != 42;
        } catch (const tact::ask_error& e) {
          wrong += !limit || e.reason() != tact::failure_reason::mailbox_full;
        }
      }
    }
  });
  require_idle(engine);
  const int thrown = each / 35;
  const int asked = static_cast<int>(threads) * (each / 500);
  const int sent = static_cast<int>(threads) * (each + 2 * (each / 5 - thrown)) - not_sent;
  const auto s = engine.statistics();
  CHECK(b.is_stable);
  CHECK(wrong == 0);
  CHECK(b.all + static_cast<int>(s.refused) >= sent);
  CHECK(b.all + static_cast<int>(s.refused) <= sent + asked);  // some of the requests may be among those refused
  CHECK(s.dead_letters == s.refused);
  CHECK(most_waiting <= 50 + (limit.when_full == when_full::drop_oldest ? 2 * (threads + workers) : 0));
  if (!limit || limit.when_full == when_full::hold_back) CHECK(b.all == sent);
  const auto depth = engine.fullest_mailboxes(1).front();
  CHECK(depth.messages == 0);
  CHECK(depth.bytes == 0);
  CHECK(depth.refused == s.refused);
}

TEST_CASE("mailbox order: all that waits behind a handler is handled in the order of the mailbox", "[law5]") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  constexpr unsigned threads = 3;
  const int each = scaled(2'000);
  door shut;
  std::atomic<bool> is_shut{false};
  std::vector<item> seen;
  tact::engine engine(quiet_options(workers));
  const auto to = engine.create(tact::behavior<store>{
                                    [](auto&, const wait_at& m) {
                                      *m.here = true;
                                      m.where->pass();
                                    },
                                    [&seen](auto&, const item& m) { seen.push_back(m); },
                                    [](auto& self, const tact::request<query>& m) { self.reply(m, 42); },
                                },
                                tact::blocking, tact::by_priority(by_its_priority));
  engine.send(to, wait_at{&shut, &is_shut});
  while (!is_shut) std::this_thread::yield();
  on_threads(threads, [&](unsigned who) {
    for (int i = 1; i <= each; ++i) engine.send(to, item{static_cast<int>(who), i * 7 % priorities, i});
  });
  shut.open();
  require_idle(engine);
  REQUIRE(seen.size() == threads * static_cast<std::size_t>(each));
  books b(threads);
  for (std::size_t i = 0; i < seen.size(); ++i) {
    b.note(seen[i]);
    if (i != 0 && seen[i - 1].priority < seen[i].priority) FAIL("a message was handled before a more urgent one");
  }
  CHECK(b.is_stable);
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
      for (int i = 1; i <= 20; ++i) engine.send(to, item{static_cast<int>(who), i % priorities, i});
      try {
        heard += engine.ask(to, query{}, generous).has_value();
      } catch (const tact::ask_error&) {
        ++heard;
      }
    });
    CHECK(heard == threads);
    require_idle(engine);
    CHECK(b.is_stable);
  }
}

}  // namespace mailbox_order_test
