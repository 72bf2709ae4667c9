// Mailboxes with limits: what each policy does with a message too many, sent by threads and by handlers.
#include <algorithm>
#include <atomic>
#include <memory>
#include <string>
#include <thread>

#include "support/engine_fixture.hpp"
#include "tact/future.hpp"

namespace pressure_test {

namespace {

using namespace tact::support;
using tact::mailbox_limit;
using tact::send_result;
using tact::when_full;
using namespace std::chrono_literals;

struct item {
  int number;
};
struct large {
  std::array<char, 1'000> body{};
};
struct query {
  using reply = int;
};
struct wait_at {
  door* where;
  std::atomic<bool>* here = nullptr;
};
struct store : tact::protocol<wait_at, item, large, std::unique_ptr<int>, tact::request<query>> {};

using numbers = std::vector<int>;

// Writes down what it handles; a message makes it wait at a door.
tact::behavior<store> open_store(numbers& seen) {
  return {
      [](auto&, const wait_at& m) {
        if (m.here != nullptr) *m.here = true;
        m.where->pass();
      },
      [&seen](auto&, const item& m) { seen.push_back(m.number); },
      [](auto&, const large&) {},
      [&seen](auto&, const std::unique_ptr<int>& m) { seen.push_back(*m); },
      [](auto& self, const tact::request<query>& m) { self.reply(m, 42); },
  };
}

// Nothing is handled before the test says so: an engine that no thread pumps.
struct still_life {
  explicit still_life(mailbox_limit limit) : engine(quiet_options(0)) { to = engine.create(open_store(seen), limit); }
  void send(int from, int to_number) {
    for (int i = from; i <= to_number; ++i) engine.send(to, item{i});
  }
  [[nodiscard]] std::uint64_t lost() const { return engine.statistics().refused; }

  numbers seen;
  tact::engine engine;
  tact::ref<store> to;
};

struct push {
  tact::ref<store> to;
  int from;
  int last;
  bool throws = false;
};
struct feeder : tact::protocol<push> {};
tact::behavior<feeder> feed() {
  return {[](tact::self<feeder>& self, const push& m) {
    for (int i = m.from; i <= m.last; ++i) self.send(m.to, item{i});
    if (m.throws) throw std::runtime_error("thrown on purpose");
  }};
}

numbers up_to(int from, int last) {
  numbers all;
  for (int i = from; i <= last; ++i) all.push_back(i);
  return all;
}

std::size_t count_full(const tact::engine& e) {
  const auto letters = e.dead_letters();
  return static_cast<std::size_t>(std::count_if(letters.begin(), letters.end(), [](const tact::dead_letter& l) {
    return l.reason == tact::failure_reason::mailbox_full;
  }));
}

}  // namespace

TEST_CASE("pressure: what finds a mailbox full that rejects or drops the newest is a dead letter", "[api][pressure]") {
  const auto policy = GENERATE(when_full::reject, when_full::drop_newest);
  still_life s({.messages = 3, .when_full = policy});
  s.send(1, 5);
  CHECK(s.lost() == 2);
  CHECK(count_full(s.engine) == 2);
  require_idle(s.engine);
  CHECK(s.seen == up_to(1, 3));
  s.send(6, 8);  // there is room again
  require_idle(s.engine);
  CHECK(s.seen == numbers{1, 2, 3, 6, 7, 8});
  CHECK(s.lost() == 2);
}

TEST_CASE("pressure: a mailbox that drops its oldest keeps the newest, in their order", "[api][pressure]") {
  still_life s({.messages = 3, .when_full = when_full::drop_oldest});
  s.send(1, 2);
  require_idle(s.engine);
  s.send(3, 12);
  CHECK(s.lost() == 7);
  CHECK(s.engine.statistics().in_flight() == 3);
  require_idle(s.engine);
  CHECK(s.seen == numbers{1, 2, 10, 11, 12});
  for (int round = 0; round < 100; ++round) {
    s.seen.clear();
    s.send(1, round % 7);
    require_idle(s.engine);
    CHECK(s.seen == up_to(std::max(1, round % 7 - 2), round % 7));
  }
}

TEST_CASE("pressure: a limit in bytes counts boxes, and lets one message in whatever its size", "[api][pressure]") {
  const auto policy = GENERATE(when_full::reject, when_full::drop_oldest);
  still_life s({.bytes = 500, .when_full = policy});
  s.engine.send(s.to, large{});
  CHECK(s.lost() == 0);
  CHECK(s.engine.fullest_mailboxes().front().bytes >= 1'000);
  s.send(1, 3);
  CHECK(s.lost() == (policy == when_full::reject ? 3U : 1U));
  require_idle(s.engine);
  s.send(1, 20);  // of 32 bytes each
  s.engine.send(s.to, large{});
  CHECK(s.engine.fullest_mailboxes().front().messages == (policy == when_full::reject ? 15U : 1U));
  require_idle(s.engine);
  CHECK(s.engine.fullest_mailboxes().front().bytes == 0);
}

TEST_CASE("pressure: a handler's sends are counted at its commit, and never held back", "[api][pressure]") {
  const auto policy = GENERATE(when_full::reject, when_full::drop_newest, when_full::drop_oldest, when_full::hold_back);
  still_life s({.messages = 3, .when_full = policy});
  const auto f = s.engine.create(feed(), tact::parallel);
  s.engine.send(f, push{s.to, 1, 5});
  CHECK(s.engine.pump(1).handled == 1);
  const auto depth = s.engine.fullest_mailboxes().front();
  const bool held = policy == when_full::hold_back;
  CHECK(depth.messages == (held ? 5U : 3U));
  CHECK(depth.refused == (held ? 0U : 2U));
  CHECK(depth.fill() == (held ? 5.0 / 3 : 1.0));
  require_idle(s.engine);
  CHECK(s.seen == (held ? up_to(1, 5) : policy == when_full::drop_oldest ? up_to(3, 5) : up_to(1, 3)));
  CHECK(s.engine.fullest_mailboxes().front().messages == 0);
}

TEST_CASE("pressure: a run that throws counts nothing, and loses nothing of others", "[api][pressure][law1]") {
  const auto policy = GENERATE(when_full::reject, when_full::drop_oldest, when_full::hold_back);
  still_life s({.messages = 3, .when_full = policy});
  const auto f = s.engine.create(feed(), tact::parallel);
  s.send(1, 2);
  s.engine.send(f, push{s.to, 100, 200, true});
  require_idle(s.engine);
  CHECK(s.seen == numbers{1, 2});
  CHECK(s.lost() == 0);
  CHECK(s.engine.statistics().failures == 1);
}

TEST_CASE("pressure: a request that is lost fails its asker, whoever sent it", "[api][pressure][law8]") {
  const auto policy = GENERATE(when_full::reject, when_full::drop_newest, when_full::drop_oldest);
  still_life s({.messages = 1, .when_full = policy});
  auto first = s.engine.ask_future(s.to, query{});
  auto second = s.engine.ask_future(s.to, query{});
  require_idle(s.engine);
  auto& lost = policy == when_full::drop_oldest ? first : second;
  auto& kept = policy == when_full::drop_oldest ? second : first;
  CHECK(kept.get() == 42);
  try {
    (void)lost.get();
    FAIL("it was answered");
  } catch (const tact::ask_error& e) {
    CHECK(e.reason() == tact::failure_reason::mailbox_full);
  }
  struct go {};
  int told = 0;
  const auto asker = s.engine.create(tact::behavior<go>{[&told, to = s.to](tact::self<go>& self, const go&) {
                                       for (int i = 0; i < 3; ++i) {
                                         self.ask(
                                             to, query{}, [](tact::transaction&, int) {},
                                             [&told](tact::transaction&, const tact::failure& f) {
                                               told += f.reason == tact::failure_reason::mailbox_full;
                                             });
                                       }
                                     }},
                                     tact::parallel);
  s.engine.send(asker, go{});
  require_idle(s.engine);
  CHECK(told == 2);
}

TEST_CASE("pressure: try_send says what became of it, and gives back what it did not send", "[api][pressure]") {
  const auto policy = GENERATE(when_full::reject, when_full::drop_newest, when_full::drop_oldest, when_full::hold_back);
  still_life s({.messages = 1, .when_full = policy});
  auto first = std::make_unique<int>(1);
  CHECK(s.engine.try_send(s.to, std::move(first)) == send_result::sent);
  auto second = std::make_unique<int>(2);
  const auto how = s.engine.try_send(s.to, std::move(second));
  switch (policy) {
    case when_full::drop_newest:
      CHECK(how == send_result::dropped);
      break;
    case when_full::drop_oldest:
      CHECK(how == send_result::sent);
      break;
    default:
      CHECK(how == send_result::full);
      REQUIRE(second != nullptr);
      CHECK(*second == 2);
      CHECK(s.lost() == 0);
  }
  require_idle(s.engine);
  CHECK(s.seen == numbers{policy == when_full::drop_oldest ? 2 : 1});
  CHECK(s.engine.try_send(tact::ref<store>(), item{1}) == send_result::target_ended);
  CHECK(s.engine.cancel(generous));
  CHECK(s.engine.try_send(s.to, item{1}) == send_result::engine_ended);
}

TEST_CASE("pressure: a thread that is held back runs an engine without workers meanwhile", "[api][pressure][pump]") {
  still_life s({.messages = 2, .when_full = when_full::hold_back});
  s.send(1, 100);
  s.to | item{101} | item{102} | item{103};
  CHECK(s.engine.send_for(generous, s.to, item{104}) == send_result::sent);
  CHECK(s.engine.ask(s.to, query{}) == 42);
  require_idle(s.engine);
  CHECK(s.seen == up_to(1, 104));
  CHECK(s.lost() == 0);
}

TEST_CASE("pressure: calls that would wait, or could not say what became of it, are refused inside a handler",
          "[api][pressure]") {
  still_life s({.messages = 1});
  struct go {};
  std::string said;
  const auto asks = s.engine.create(tact::behavior<go>{[&](tact::self<go>&, const go&) {
                                      try {
                                        (void)s.engine.try_send(s.to, item{1});
                                      } catch (const tact::usage_error& e) {
                                        said = e.what();
                                      }
                                      CHECK_THROWS_AS((void)s.engine.send_for(1ms, s.to, item{1}), tact::usage_error);
                                    }},
                                    tact::parallel);
  s.engine.send(asks, go{});
  require_idle(s.engine);
  CHECK_THAT(said, Catch::Matchers::Contains("call self.send(to, message)"));
}

TEST_CASE("pressure: the order to end an actor, and failures, find a full mailbox open", "[api][pressure]") {
  struct fails : tact::protocol<item, tact::failure> {};
  int heard = 0;
  tact::engine engine(quiet_options(0));
  const auto to = engine.create(
      tact::behavior<fails>{[](auto&, const item&) {}, [&heard](auto&, const tact::failure&) { ++heard; }},
      mailbox_limit{.messages = 1}, tact::parallel);
  engine.send(to, item{1});
  struct go {};
  const auto f = engine.create(tact::behavior<go>{[to](tact::self<go>& self, const go&) {
                                 self.send(to, item{2});
                                 self.send(to, tact::failure{tact::failure_reason::timed_out, "late"});
                               }},
                               tact::parallel);
  engine.send(f, go{});
  engine.send(to, tact::failure{tact::failure_reason::timed_out, "late"});
  require_idle(engine);
  CHECK(heard == 2);
  class quitter : public tact::actor<quitter, item> {
   public:
    void receive(tact::self<quitter>&, const item&) {}
  };
  const auto q = engine.spawn<quitter>(mailbox_limit{.messages = 1});
  q | item{1} | tact::finished_msg;
  require_idle(engine);
  CHECK(engine.try_send(q, item{1}) == send_result::target_ended);
}

TEST_CASE("pressure: an engine's limit counts what threads outside bring, and nothing else", "[api][pressure]") {
  const auto policy = GENERATE(when_full::reject, when_full::drop_newest, when_full::hold_back);
  auto options = quiet_options(0);
  options.outside_limit = {.messages = 4, .when_full = policy};
  tact::engine engine(options);
  numbers seen;
  numbers other;
  const auto a = engine.create(open_store(seen));
  const auto b = engine.create(open_store(other), mailbox_limit{.messages = 1});
  const auto f = engine.create(feed(), tact::parallel);
  engine.send(f, push{a, 1, 20});
  engine.send(b, item{1});
  engine.send(b, item{2});  // no room in the mailbox: then it takes none in the engine
  engine.send(a, item{-1});
  engine.send(a, item{-2});
  CHECK(engine.fullest_mailboxes().front().messages == 4);
  const auto how = engine.try_send(a, item{-3});
  CHECK(how == (policy == when_full::drop_newest ? send_result::dropped : send_result::full));
  if (policy == when_full::hold_back) engine.send(a, item{-3});
  require_idle(engine);
  CHECK(seen.size() == (policy == when_full::hold_back ? 23 : 22));
  CHECK(other == numbers{1});
  CHECK(engine.fullest_mailboxes().front().messages == 0);
  CHECK(engine.ask(a, query{}) == 42);
}

TEST_CASE("pressure: an engine's limit that would drop the oldest is refused", "[api][pressure]") {
  auto options = quiet_options(1);
  options.outside_limit = {.messages = 4, .when_full = when_full::drop_oldest};
  CHECK_THROWS_AS(tact::engine(options), tact::option_error);
}

TEST_CASE("pressure: messages of every shape, with a context, passed on and sent by reference", "[api][pressure]") {
  const auto policy = GENERATE(when_full::reject, when_full::drop_oldest);
  struct shaped : tact::message {
    int number = 0;
  };
  struct text {
    std::string value;
  };
  struct mixed : tact::protocol<item, large, text, shaped> {};
  tact::engine engine(quiet_options(0));
  std::uint64_t traces = 0;
  int handled = 0;
  const auto end_of_line = engine.create(tact::behavior<mixed>{[&](tact::self<mixed>& self, const auto&) {
                                           traces += self.context().trace();
                                           ++handled;
                                         }},
                                         mailbox_limit{.messages = 8, .when_full = policy}, tact::parallel);
  const auto relay = engine.create(
      tact::behavior<mixed>{[&, end_of_line](tact::self<mixed>& self, const auto& m) { self.pass_on(end_of_line, m); }},
      mailbox_limit{.messages = 4, .when_full = policy}, tact::parallel);
  shaped kept;
  tact::with_context(tact::context().with_trace(7), [&] {
    engine.send(relay, item{1});
    engine.send(relay, large{});
  });
  engine.send(relay, text{std::string(100, 'x')});
  engine.send(relay, kept);
  require_idle(engine);
  CHECK(handled == 4);
  CHECK(traces == 14);
  for (int i = 0; i < 20; ++i) engine.send(relay, text{std::string(100, 'x')});
  require_idle(engine);
  CHECK(handled == 8);
}

TEST_CASE("pressure: the fullest mailboxes come first, with what waits and for how long", "[api][pressure]") {
  tact::engine engine(quiet_options(0));
  numbers seen;
  const auto some = engine.create(open_store(seen), mailbox_limit{.messages = 10}, tact::named("some"), tact::parallel);
  const auto most = engine.create(open_store(seen), tact::named("most"), mailbox_limit{.messages = 4, .bytes = 100'000},
                                  tact::parallel);
  const auto none = engine.create(open_store(seen), mailbox_limit{.messages = 10}, tact::named("none"), tact::parallel);
  (void)none;
  (void)engine.create(open_store(seen), tact::named("without"), tact::parallel);
  const auto before = std::chrono::steady_clock::now();
  for (int i = 0; i < 3; ++i) engine.send(some, item{i});
  for (int i = 0; i < 3; ++i) engine.send(most, item{i});
  const auto all = engine.fullest_mailboxes();
  REQUIRE(all.size() == 3);
  CHECK_THAT(all[0].actor, Catch::Matchers::StartsWith("most ("));
  CHECK(all[0].fill() == 0.75);
  CHECK(all[0].messages == 3);
  CHECK(all[0].bytes == 96);
  CHECK(all[0].limit.messages == 4);
  CHECK_THAT(all[1].actor, Catch::Matchers::StartsWith("some ("));
  CHECK(all[1].oldest > 0ns);
  CHECK(all[1].oldest <= std::chrono::steady_clock::now() - before);
  CHECK(all[2].oldest == 0ns);
  CHECK(engine.fullest_mailboxes(1).size() == 1);
  require_idle(engine);
  for (const auto& d : engine.fullest_mailboxes()) CHECK(d.oldest == 0ns);
}

}  // namespace pressure_test
