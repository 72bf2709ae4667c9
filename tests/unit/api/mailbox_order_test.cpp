// Mailboxes with an order: what is handled first of what waits, sent by threads, handlers and timers.
#include <atomic>
#include <limits>
#include <memory>
#include <string>

#include "support/engine_fixture.hpp"
#include "tact/future.hpp"

namespace mailbox_order_test {

namespace {

using namespace tact::support;
using tact::mailbox_limit;
using tact::send_result;
using tact::when_full;
using namespace std::chrono_literals;
using clock = std::chrono::steady_clock;

struct item {
  int priority;
  int number;
};
struct plain {
  int number;
};
struct large {
  int priority;
  int number;
  std::array<char, 1'000> body{};
};
struct referred : tact::message {
  int priority = 0;
  int number = 0;
};
struct query {
  using reply = int;
  int priority = 0;
};
struct some : tact::protocol<plain, tact::request<query>> {};
struct store : tact::protocol<large, some, item, referred, std::unique_ptr<int>> {};

using numbers = std::vector<int>;

tact::behavior<store> open_store(numbers& seen) {
  return {
      [&seen](auto&, const large& m) { seen.push_back(m.number); },
      [&seen](auto&, const plain& m) { seen.push_back(m.number); },
      [&seen](auto& self, const tact::request<query>& m) {
        seen.push_back(-m.body.priority);
        self.reply(m, 42);
      },
      [&seen](auto&, const item& m) { seen.push_back(m.number); },
      [&seen](auto&, const referred& m) { seen.push_back(m.number); },
      [&seen](auto&, const std::unique_ptr<int>& m) { seen.push_back(*m); },
  };
}

struct priority_of_each {
  template <class M>
    requires requires(const M& m) { m.priority; }
  int operator()(const M& m) const noexcept {
    return m.priority;
  }
  int operator()(const tact::request<query>& m) const noexcept { return m.body.priority; }
};

// Nothing is handled before the test says so: an engine that no thread pumps.
struct still_life {
  template <class... Tags>
  explicit still_life(Tags... tags) : engine(quiet_options(0)) {
    to = engine.create(open_store(seen), tags...);
  }
  [[nodiscard]] std::uint64_t lost() const { return engine.statistics().refused; }

  numbers seen;
  tact::engine engine;
  tact::ref<store> to;
};

// Sends what it is told to, in one run.
struct run_of_sends {
  tact::ref<store> to;
  std::vector<item> all;
};
tact::behavior<run_of_sends> feed() {
  return {[](tact::self<run_of_sends>& self, const run_of_sends& m) {
    for (const item& i : m.all) self.send(m.to, i);
  }};
}

}  // namespace

TEST_CASE("mailbox order: of what waits the highest priority is handled first, and equal ones as they came",
          "[api][order]") {
  const bool by_handler = GENERATE(false, true);
  still_life s{tact::by_priority(priority_of_each())};
  const std::vector<item> all{{0, 1}, {5, 2}, {-3, 3}, {5, 4}, {0, 5}, {7, 6}, {-3, 7}, {5, 8}};
  if (by_handler) {
    s.engine.send(s.engine.create(feed()), run_of_sends{s.to, all});
    CHECK(s.engine.pump(1).handled == 1);
  } else {
    for (const item& i : all) s.engine.send(s.to, i);
  }
  CHECK(s.engine.statistics().in_flight() == all.size());
  CHECK(s.engine.pump(1).handled == 1);
  s.engine.send(s.to, item{9, 9});  // it comes before those that have waited longer
  require_idle(s.engine);
  CHECK(s.seen == numbers{6, 9, 2, 4, 8, 1, 5, 3, 7});
}

TEST_CASE(
    "mailbox order: messages of every shape, through narrowed addresses, passed on, with a context and from timers",
    "[api][order]") {
  still_life s{tact::by_priority(priority_of_each())};
  referred kept;
  kept.priority = 3;
  kept.number = 3;
  const tact::ref<some> narrow = s.to;
  const auto relay = s.engine.create(
      tact::behavior<item>{[to = s.to](tact::self<item>& self, const item& m) { self.pass_on(to, m); }});
  struct go {};
  const auto late = s.engine.create(tact::behavior<go>{[to = s.to](tact::self<go>& self, const go&) {
    self.send_after(0ns, to, item{6, 6});
  }});
  s.engine.send(relay, item{4, 4});
  s.engine.send(late, go{});
  CHECK(s.engine.pump(2).handled == 2);
  s.engine.send(narrow, plain{0});
  s.engine.send(s.to, std::make_unique<int>(-1));
  auto answer = s.engine.ask_future(narrow, query{-5});
  s.engine.send(s.to, large{2, 2, {}});
  tact::with_context(tact::context().with_trace(7), [&] { s.engine.send(s.to, item{5, 5}); });
  s.engine.send(s.to, kept);
  while (s.engine.statistics().timers_armed != 0) (void)s.engine.pump(0);
  require_idle(s.engine);
  CHECK(answer.get() == 42);
  CHECK(s.seen == numbers{6, 5, 4, 3, 2, 0, -1, 5});
}

TEST_CASE("mailbox order: the earliest deadline is first, and what has none is last", "[api][order]") {
  const auto now = clock::now();
  still_life s{tact::by_deadline([now](const item& m) { return now + std::chrono::hours(m.priority); })};
  s.engine.send(s.to, plain{1});
  s.engine.send(s.to, item{3, 2});
  s.engine.send(s.to, item{-4, 3});
  s.engine.send(s.to, plain{4});
  s.engine.send(s.to, item{3, 5});
  s.engine.send(s.to, item{1, 6});
  require_idle(s.engine);
  CHECK(s.seen == numbers{3, 6, 2, 5, 1, 4});
}

TEST_CASE("mailbox order: messages named by tact::handled_first come before all others, in their own order",
          "[api][order]") {
  still_life s{tact::by_priority(tact::handled_first<plain, tact::request<query>>)};
  s.engine.send(s.to, item{9, 1});
  s.engine.send(s.to, plain{2});
  auto answer = s.engine.ask_future(s.to, query{-3});
  s.engine.send(s.to, large{9, 4, {}});
  s.engine.send(s.to, plain{5});
  require_idle(s.engine);
  CHECK(answer.get() == 42);
  CHECK(s.seen == numbers{2, 3, 5, 1, 4});
}

TEST_CASE("mailbox order: priorities may be enums and numbers of any size, and extremes stay in order",
          "[api][order]") {
  enum class urgency : unsigned char { low, high };
  using big = std::numeric_limits<std::int64_t>;
  numbers seen;
  tact::engine engine(quiet_options(0));
  const auto a = engine.create(open_store(seen), tact::by_priority([](const item& m) { return urgency(m.priority); }));
  engine.send(a, plain{1});
  engine.send(a, item{0, 2});
  engine.send(a, item{1, 3});
  require_idle(engine);
  CHECK(seen == numbers{3, 1, 2});
  seen.clear();
  const auto b = engine.create(open_store(seen), tact::by_priority([](const item& m) {
                                 return m.priority == 0 ? big::min() : m.priority == 1 ? big::max() : m.priority;
                               }));
  for (const int p : {0, 2, 1, -1}) engine.send(b, item{p, p});
  require_idle(engine);
  CHECK(seen == numbers{1, 2, -1, 0});
  seen.clear();
  const auto c = engine.create(open_store(seen), tact::by_priority([](const item& m) {
                                 return m.priority == 0 ? ~std::uint64_t{0} : std::uint64_t(m.priority);
                               }));
  for (const int p : {5, 0, 7}) engine.send(c, item{p, p});
  require_idle(engine);
  CHECK(seen == numbers{0, 7, 5});
}

TEST_CASE("mailbox order: a message for which the function throws has no priority", "[api][order]") {
  still_life s{tact::by_priority([](const item& m) {
    if (m.priority == 99) throw std::runtime_error("thrown on purpose");
    return m.priority;
  })};
  s.engine.send(s.engine.create(feed()), run_of_sends{s.to, {{-1, 1}, {99, 2}, {1, 3}}});
  CHECK(s.engine.pump(1).handled == 1);
  s.engine.send(s.to, item{99, 4});
  s.engine.send(s.to, item{1, 5});
  require_idle(s.engine);
  CHECK(s.seen == numbers{3, 5, 2, 4, 1});
  CHECK(s.engine.statistics().failures == 0);
}

TEST_CASE("mailbox order: what the function keeps lives as long as the actor, and no longer", "[api][order]") {
  const nothing_left left;
  numbers seen;
  tact::engine engine(quiet_options(0));
  auto only = engine.create(open_store(seen), tact::owned,
                            tact::by_priority([kept = tracked()](const item& m) { return m.priority; }),
                            mailbox_limit{.messages = 10});
  engine.send(only.ref(), item{1, 1});
  CHECK(tracked::alive == 1);
  only = {};
  require_idle(engine);
  CHECK(seen == numbers{1});
}

TEST_CASE("mailbox order: an order to end comes behind all that came before it, and ahead of all behind it",
          "[api][order][law13]") {
  class quitter : public tact::actor<quitter, item, plain> {
   public:
    explicit quitter(numbers& seen) : seen_(seen) {}
    void receive(tact::self<quitter>&, const item& m) { seen_.push_back(m.number); }
    void receive(tact::self<quitter>&, const plain& m) { seen_.push_back(m.number); }

   private:
    numbers& seen_;
  };
  numbers seen;
  tact::engine engine(quiet_options(0));
  const auto how = GENERATE(0, 1, 2, 3);
  if (how == 0) {  // a poison pill
    const auto q = engine.spawn<quitter>(tact::by_priority(priority_of_each()), seen);
    q | item{-5, 1} | item{1, 2} | tact::delete_msg | item{9, 3} | plain{4} | tact::delete_msg;
  } else if (how == 1) {  // the last owner goes
    auto q = engine.spawn<quitter>(tact::by_priority(priority_of_each()), tact::owned, seen);
    const tact::ref<quitter> address = q.ref();
    address | item{-5, 1} | item{1, 2};
    q = {};
    address | item{9, 3} | plain{4};
  } else if (how == 2) {  // a handler sends a pill
    struct go {};
    const auto q = engine.spawn<quitter>(tact::by_priority(priority_of_each()), seen);
    const auto f = engine.create(tact::behavior<go>{[q](tact::self<go>& self, const go&) {
      self.send(q, item{-5, 1});
      self.send(q, item{1, 2});
      self.send(q, tact::delete_msg);
      self.send(q, item{9, 3});
    }});
    engine.send(f, go{});
    CHECK(engine.pump(1).handled == 1);
    q | plain{4};
  } else {  // a handler lets the last owner go
    struct go {};
    auto q = std::make_shared<tact::owner<quitter>>(
        engine.spawn<quitter>(tact::by_priority(priority_of_each()), tact::owned, seen));
    const auto f = engine.create(tact::behavior<go>{[q](tact::self<go>& self, const go&) {
      const tact::ref<quitter> address = q->ref();
      self.send(address, item{-5, 1});
      self.send(address, item{1, 2});
      *q = {};
    }});
    engine.send(f, go{});
    const auto address = q->ref();
    CHECK(engine.pump(1).handled == 1);
    address | item{9, 3} | plain{4};
  }
  require_idle(engine);
  CHECK(seen == numbers{2, 1});
  CHECK(engine.statistics().dead_letters == (how == 0 ? 3U : 2U));
  CHECK(engine.statistics().refused == 0);
}

TEST_CASE("mailbox order: failures have no priority, and wait for as many messages as came before them",
          "[api][order]") {
  struct fails : tact::protocol<item, tact::failure> {};
  numbers seen;
  tact::engine engine(quiet_options(0));
  const auto to = engine.create(tact::behavior<fails>{[&seen](auto&, const item& m) { seen.push_back(m.number); },
                                                      [&seen](auto&, const tact::failure&) { seen.push_back(0); }},
                                tact::by_priority(priority_of_each()));
  engine.send(to, item{1, 1});
  engine.send(to, tact::failure{tact::failure_reason::timed_out, "late"});
  engine.send(to, item{2, 2});
  require_idle(engine);
  CHECK(seen == numbers{2, 0, 1});
}

TEST_CASE("mailbox order: with a limit, what is too much is lost as the policy says", "[api][order][pressure]") {
  const auto policy = GENERATE(when_full::reject, when_full::drop_newest, when_full::hold_back);
  still_life s{tact::by_priority(priority_of_each()), mailbox_limit{.messages = 3, .when_full = policy}};
  s.engine.send(s.engine.create(feed()), run_of_sends{s.to, {{1, 1}, {3, 2}, {2, 3}, {8, 4}}});
  CHECK(s.engine.pump(1).handled == 1);
  CHECK(s.engine.fullest_mailboxes().front().messages == (policy == when_full::hold_back ? 4U : 3U));
  CHECK(s.engine.try_send(s.to, item{9, 5}) ==
        (policy == when_full::drop_newest ? send_result::dropped : send_result::full));
  require_idle(s.engine);
  CHECK(s.seen == (policy == when_full::hold_back ? numbers{4, 2, 3, 1} : numbers{2, 3, 1}));
  CHECK(s.lost() == (policy == when_full::reject ? 1U : policy == when_full::drop_newest ? 2U : 0U));
  CHECK(s.engine.fullest_mailboxes().front().messages == 0);
}

TEST_CASE("mailbox order: a full mailbox drops the oldest of the lowest priority, which may be the new message",
          "[api][order][pressure]") {
  const bool by_handler = GENERATE(false, true);
  still_life s{tact::by_priority(priority_of_each()),
               mailbox_limit{.messages = 3, .when_full = when_full::drop_oldest}};
  if (by_handler) {
    s.engine.send(s.engine.create(feed()),
                  run_of_sends{s.to, {{1, 1}, {1, 2}, {5, 3}, {0, 4}, {1, 5}, {6, 6}, {7, 7}, {0, 8}}});
    CHECK(s.engine.pump(1).handled == 1);
  } else {
    for (const item m : {item{1, 1}, {1, 2}, {5, 3}, {0, 4}, {1, 5}, {6, 6}, {7, 7}}) s.engine.send(s.to, m);
    CHECK(s.engine.try_send(s.to, item{0, 8}) == send_result::dropped);
  }
  CHECK(s.lost() == 5);
  CHECK(s.engine.statistics().in_flight() == 3);
  require_idle(s.engine);
  CHECK(s.seen == numbers{7, 6, 3});
  CHECK(s.engine.statistics().dead_letters == 5);
  CHECK(s.engine.fullest_mailboxes().front().messages == 0);
}

TEST_CASE("mailbox order: an actor that ends leaves all that waits to the dead letters, and its askers hear",
          "[api][order][law8]") {
  struct stop {};
  struct last : tact::protocol<stop, tact::request<query>, item> {};
  numbers seen;
  tact::engine engine(quiet_options(0));
  const auto to =
      engine.create(tact::behavior<last>{[](tact::self<last>& self, const stop&) { self.stop(); },
                                         [](auto& self, const tact::request<query>& m) { self.reply(m, 1); },
                                         [&seen](auto&, const item& m) { seen.push_back(m.number); }},
                    tact::by_priority(tact::handled_first<stop>));
  std::vector<std::future<int>> answers;
  for (int i = 0; i < 50; ++i) {
    engine.send(to, item{i, i});
    answers.push_back(engine.ask_future(to, query{i}));
  }
  engine.send(to, stop{});
  require_idle(engine);
  CHECK(seen.empty());
  CHECK(engine.statistics().dead_letters == 100);
  for (auto& a : answers) {
    try {
      (void)a.get();
      FAIL("it was answered");
    } catch (const tact::ask_error& e) {
      CHECK(e.reason() == tact::failure_reason::target_ended);
    }
  }
  CHECK(engine.fullest_mailboxes().empty());
}

TEST_CASE("mailbox order: an engine that ends buries what waits in order", "[api][order][law11]") {
  const nothing_left left;
  std::future<int> answer;
  {
    numbers seen;
    tact::engine engine(quiet_options(0));
    const auto to = engine.create(open_store(seen), tact::by_priority(priority_of_each()));
    answer = engine.ask_future(to, query{3});
    for (int i = 0; i < 20; ++i) engine.send(to, item{i, i});
    engine.cancel();
    CHECK(seen.empty());
  }
  CHECK_THROWS_AS(answer.get(), tact::ask_error);
}

TEST_CASE("mailbox order: actors made by handlers, in scopes and on loops have it too", "[api][order]") {
  const nothing_left left;
  const auto order = tact::by_priority([kept = tracked()](const item& m) { return m.priority; });
  numbers seen;
  tact::engine engine(quiet_options(0));
  tact::scope group(engine);
  auto loop = std::make_unique<tact::loop>(engine, [] {});
  const auto settle = [&] {
    while (engine.statistics().in_flight() != 0) {
      (void)engine.pump();
      (void)loop->pump();
    }
  };
  struct go {
    bool throws;
  };
  const auto maker = engine.create(tact::behavior<go>{[&](tact::self<go>& self, const go& m) {
    const auto made = self.create(open_store(seen), order);
    for (int i = 0; i < 3; ++i) self.send(made, item{i, i});
    if (m.throws) throw std::runtime_error("thrown on purpose");
  }});
  engine.send(maker, go{true});
  settle();
  CHECK(seen.empty());
  engine.send(maker, go{false});
  settle();
  CHECK(seen == numbers{2, 1, 0});
  const auto in_group = group.create(open_store(seen), order, mailbox_limit{.messages = 10});
  const auto on_loop = engine.create(open_store(seen), tact::on_loop(*loop), order);
  for (const auto to : {in_group, on_loop}) {
    seen.clear();
    for (int i = 0; i < 3; ++i) engine.send(to, item{i, i});
    settle();
    CHECK(seen == numbers{2, 1, 0});
  }
  seen.clear();
  const auto dead = engine.statistics().dead_letters;
  for (int i = 0; i < 3; ++i) engine.send(on_loop, item{i, i});
  loop.reset();
  require_idle(engine);
  CHECK(seen.empty());
  CHECK(engine.statistics().dead_letters == dead + 3);
}

TEST_CASE("mailbox order: what is put aside while a handler waits is handled in order when it goes on",
          "[api][order]") {
  struct begin {};
  struct both : tact::protocol<begin, item> {};
  numbers seen;
  tact::engine engine(quiet_options(0));
  const auto service = engine.create(
      tact::behavior<tact::request<query>>{[](auto& self, const tact::request<query>& m) { self.reply(m, 1); }});
  const auto to = engine.create(
      tact::behavior<both>{[service](tact::self<both>& self, const begin&) { (void)self.ask(service, query{}); },
                           [&seen](auto&, const item& m) { seen.push_back(m.number); }},
      tact::by_priority([](const item& m) { return m.priority; }));
  engine.send(to, begin{});
  CHECK(engine.pump(1).handled == 1);  // it waits
  for (int i = 0; i < 5; ++i) engine.send(to, item{i, i});
  require_idle(engine);
  CHECK(seen == numbers{4, 3, 2, 1, 0});
}

}  // namespace mailbox_order_test
