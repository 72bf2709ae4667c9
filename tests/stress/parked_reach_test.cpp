// What a handler that waits keeps beside its stack: its context, its timers, what it owes; and waits that never end.
#include <atomic>
#include <chrono>
#include <mutex>
#include <stdexcept>
#include <string>
#include <vector>

#include "stress/parked_ask.hpp"
#include "tact/future.hpp"

namespace parked_reach_test {

using namespace tact::parked_tests;
using namespace tact;
using namespace std::chrono_literals;

namespace {

struct task {
  long number;
  tracked kept{};
};

long task_of(const transaction& tx) {
  const context here = tx.context();
  const task* t = here.find<task>();
  return t == nullptr ? -1 : t->number;
}

// Adds 1 where a message came in the context of its own number.
struct witness : protocol<go> {};
behavior<witness> open_witness(std::atomic<long>& right) {
  return {[&right](auto& self, const go& m) { right += task_of(self) == m.n; }};
}

// Answers in a context of its own, which is not to come back with the answer.
behavior<oracle> open_stranger() {
  return {[](auto& self, const request<number>& m) {
            with_context(context().with(task{-7}), [&] { self.reply(m, m.body.n * 2); });
          },
          [](auto& self, const request<wave>& m) { self.reply(m); }};
}

struct circle : protocol<request<number>> {};
using asked = ref<request<number>>;

}  // namespace

TEST_CASE("parked ask: a handler goes on in the context in which it asked") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  const nothing_left check;
  std::atomic<long> right{0};
  engine e(quiet_options(workers));
  const auto stranger = e.create(open_stranger(), tact::parallel);
  const auto sees = e.create(open_witness(right), tact::parallel);
  const auto open = [=]() -> behavior<caller> {
    return {[=](auto& self, const go& m) {
              (void)self.ask(stranger, number{m.n});
              self.send(sees, go{m.n});
              with_context(self.context().with(task{-2}), [&] {
                (void)self.ask(stranger, number{m.n});
                self.send(sees, go{-2});
              });
              (void)self.ask(stranger, number{m.n});
              self.send(sees, go{m.n});
            },
            [](auto& self, const request<look>& m) { self.reply(m, 0L); }};
  };
  const auto parallel_one = e.create(open(), tact::parallel);
  const auto ordered_one = e.create(open());
  constexpr long times = 100;
  for (long i = 0; i < times; ++i) {
    with_context(context().with(task{i}), [&] { e.send(i % 2 == 0 ? parallel_one : ordered_one, go{i}); });
  }
  e.send(ordered_one, go{-1});  // without a context
  require_idle(e);
  CHECK(right == 3 * (times + 1));
}

TEST_CASE("parked ask: a wait ends at its time limit, and an answer that comes after that is a dead letter") {
  TACT_SEEDED(seed);
  std::atomic<long> came{0};
  TACT_FOR_EACH_WORKER_COUNT(workers);
  engine e(quiet_options(workers));
  const auto keeper = e.spawn<keeping>(seed, came);
  std::atomic<long> late{0};
  std::atomic<long> in_time{0};
  const auto open = [&]() -> behavior<caller> {
    return {[&](auto& self, const go& m) {
              try {
                (void)self.ask(keeper, number{m.n}, m.n % 2 == 0 ? 1ms : 1h);
                ++in_time;
              } catch (const ask_error& error) {
                late += error.reason() == failure_reason::timed_out;
              }
            },
            [](auto& self, const request<look>& m) { self.reply(m, 0L); }};
  };
  const auto one = e.create(open(), tact::parallel);
  constexpr long times = 40;
  for (long i = 0; i < times; ++i) e.send(one, go{i});
  wait_until(e, [&] { return came == times && late == times / 2; });
  e.send(keeper, answer_all{});
  require_idle(e);
  CHECK(in_time == times / 2);
  CHECK(e.statistics().dead_letters == times / 2);
  came = 0;
}

TEST_CASE("parked ask: timers of each segment are set at its commit") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  engine e(quiet_options(workers));
  const auto wise = e.create(open_oracle(), tact::parallel);
  std::atomic<long> fired{0};
  const auto bell = e.create(behavior<witness>{[&](auto&, const go& m) { fired += m.n; }}, tact::parallel);
  const auto one = e.create(behavior<caller>{[=](auto& self, const go& m) {
                                               self.send_after(0ms, bell, go{1});
                                               const timer never = self.send_after(1h, bell, go{1'000'000});
                                               (void)self.ask(wise, number{1});
                                               never.cancel();
                                               self.send_after(0ms, bell, go{1'000});
                                               if (m.n % 2 == 1) throw std::runtime_error("behind the wait");
                                             },
                                             [](auto& self, const request<look>& m) { self.reply(m, 0L); }},
                            tact::parallel);
  for (long i = 0; i < 20; ++i) e.send(one, go{i});
  wait_until(e, [&] { return fired == 20 + 10 * 1'000; });
  require_idle(e);
  CHECK(fired == 20 + 10 * 1'000);
}

TEST_CASE("parked ask: who was answered before its handler waits hears nothing of a failure behind that") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  engine e(quiet_options(workers));
  const auto wise = e.create(open_oracle(), tact::parallel);
  const auto hasty = e.create(behavior<circle>{[=](auto& self, const request<number>& m) {
                                self.reply(m, m.body.n + 1);
                                (void)self.ask(wise, number{1});
                                throw std::runtime_error("too late to take it back");
                              }},
                              tact::parallel);
  for (long i = 0; i < 50; ++i) CHECK(e.ask(hasty, number{i}) == i + 1);
  require_idle(e);
  CHECK(e.statistics().failures == 50);
  CHECK(e.statistics().dead_letters == 0);
}

TEST_CASE("parked ask: of a mailbox that drops its oldest the newest are kept while its handler waits") {
  TACT_SEEDED(seed);
  std::atomic<long> came{0};
  TACT_FOR_EACH_WORKER_COUNT(workers);
  std::vector<long> heard;
  engine e(quiet_options(workers));
  const auto keeper = e.spawn<keeping>(seed, came);
  struct diary : protocol<go, long> {};
  const auto d = e.create(behavior<diary>{[keeper](auto& self, const go& m) { (void)self.ask(keeper, number{m.n}); },
                                          [&](auto&, long n) { heard.push_back(n); }},
                          mailbox_limit{.messages = 10, .when_full = when_full::drop_oldest});
  e.send(d, go{1});
  wait_until(e, [&] { return came == 1; });
  for (long i = 0; i < 5'000; ++i) e.send(d, i);
  wait_until(e, [&] { return e.statistics().refused == 4'990; });
  CHECK(e.statistics().in_flight() == 11);  // they, and the one whose handler waits
  e.send(keeper, answer_all{});
  require_idle(e);
  std::vector<long> newest;
  for (long i = 4'990; i < 5'000; ++i) newest.push_back(i);
  CHECK(heard == newest);
  came = 0;
}

TEST_CASE("parked ask: who asks an actor whose mailbox is full hears so") {
  TACT_SEEDED(seed);
  std::atomic<long> came{0};
  TACT_FOR_EACH_WORKER_COUNT(workers);
  std::atomic<long> full{0};
  std::atomic<long> answered{0};
  engine e(quiet_options(workers));
  const auto keeper = e.spawn<keeping>(seed, came);
  const auto narrow = e.create(
      behavior<circle>{[keeper](auto& self, const request<number>& m) { self.reply(m, self.ask(keeper, m.body)); }},
      mailbox_limit{.messages = 2, .when_full = when_full::reject});
  const auto one = e.create(behavior<caller>{[&, narrow](auto& self, const go& m) {
                                               try {
                                                 (void)self.ask(narrow, number{m.n});
                                                 ++answered;
                                               } catch (const ask_error& error) {
                                                 full += error.reason() == failure_reason::mailbox_full;
                                               }
                                             },
                                             [](auto& self, const request<look>& m) { self.reply(m, 0L); }},
                            tact::parallel);
  e.send(one, go{0});
  wait_until(e, [&] { return came == 1; });  // its mailbox is empty, and it waits
  for (long i = 1; i <= 10; ++i) e.send(one, go{i});
  wait_until(e, [&] { return full == 8; });
  while (!e.wait_idle(1ms)) e.send(keeper, answer_all{});
  require_idle(e);
  CHECK(answered == 3);
  came = 0;
}

#if !defined(NDEBUG)
TEST_CASE("parked ask: handlers that wait for each other are found in debug builds, and the circle is named") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  engine e(quiet_options(workers));
  // The first is exclusive and asks the second, and so on; the last asks the first.
  const unsigned length = GENERATE(2u, 3u, 5u);
  const bool others_parallel = GENERATE(false, true);
  struct whom : protocol<request<number>, asked> {};
  struct make {
    static behavior<whom> open(asked next) {
      return {[=](auto& self, const request<number>& m) { self.reply(m, self.ask(next, number{m.body.n}) + 1); },
              [](self<whom>& self, const asked& other) { self.become(open(other)); }};
    }
  };
  std::vector<ref<whom>> all;
  for (unsigned i = 0; i < length; ++i) {
    const std::string name = "member " + std::to_string(i);
    const auto next = all.empty() ? asked{} : asked(all.back());
    all.push_back(i == 0 || !others_parallel ? e.create(make::open(next), named(name))
                                             : e.create(make::open(next), named(name), tact::parallel));
  }
  e.send(all.front(), asked(all.back()));
  require_idle(e);
  try {
    (void)e.ask(all.front(), number{1});
    FAIL("a circle of waits was answered");
  } catch (const ask_error& error) {
    const std::string text = error.what();
    INFO(text);
    CHECK(text.find("waits in a circle") != std::string::npos);
    for (unsigned i = 0; i < length; ++i) CHECK(text.find("member " + std::to_string(i)) != std::string::npos);
  }
  require_idle(e);
}

namespace {

struct seat : protocol<request<number>, asked, go> {};
behavior<seat> open_seat(asked next) {
  return {[=](auto& self, const request<number>& m) { self.reply(m, self.ask(next, number{m.body.n}) + 1); },
          [](self<seat>& self, const asked& other) { self.become(open_seat(other)); }, [](auto&, const go&) {}};
}
ref<seat> create_seat(engine& e, asked next, int mailbox) {
  switch (mailbox) {
    case 0:
      return e.create(open_seat(next), by_priority([](const request<number>& m) { return m.body.n; }));
    case 1:
      return e.create(open_seat(next), mailbox_limit{.messages = 100, .when_full = when_full::drop_oldest});
    case 2:
      return e.create(open_seat(next), mailbox_limit{.messages = 1, .when_full = when_full::drop_oldest});
    default:
      return e.create(open_seat(next), mailbox_limit{.messages = 100});
  }
}

}  // namespace

TEST_CASE("parked ask: a circle is found through each mailbox, also behind what lies there and is dropped for it") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  const int mailbox = GENERATE(range(0, 4));
  auto options = quiet_options(workers);
  options.on_dropped = [](auto&) {};
  engine e(options);
  std::atomic<bool> may_ask_back{false};
  const auto first = create_seat(e, {}, mailbox);
  // It does not close the circle before the first one waits, and something lies in the mailbox of the first one.
  const auto second = e.create(behavior<circle>{[&, first](auto& self, const request<number>& m) {
                                 may_ask_back.wait(false);
                                 self.reply(m, self.ask(first, number{m.body.n}));
                               }},
                               blocking);
  e.send(first, asked(second));
  require_idle(e);
  auto answer = e.ask_future(first, number{1});
  wait_until(e, [&] { return e.statistics().waiting == 1; });
  e.send(first, go{0});
  may_ask_back = true;
  may_ask_back.notify_all();
  require_idle(e);
  try {
    static_cast<void>(answer.get());
    FAIL("a circle of waits was answered");
  } catch (const ask_error& error) {
    CHECK_THAT(error.what(), Catch::Contains("waits in a circle: "));
  }
  require_idle(e);
}

TEST_CASE("parked ask: who waits for somebody that has answered it is no part of a circle") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  engine e(quiet_options(workers));
  struct polite : protocol<request<number>, asked> {};
  struct make {
    // Answers before it asks back.
    static behavior<polite> open(asked next) {
      return {[=](auto& self, const request<number>& m) {
                self.reply(m, m.body.n);
                if (m.body.n > 0) (void)self.ask(next, number{m.body.n - 1});
              },
              [](self<polite>& self, const asked& other) { self.become(open(other)); }};
    }
  };
  const auto one = e.create(make::open({}));
  const auto other = e.create(make::open(one));
  e.send(one, asked(other));
  for (long i = 0; i < 50; ++i) {
    CHECK(e.ask(one, number{20}) == 20);
    require_idle(e);  // two such rows at once would wait for each other
  }
  CHECK(e.statistics().failures == 0);
}
#endif

namespace {

// What is found when handlers run twice.
struct findings {
  std::mutex mutex;
  std::vector<std::string> all;
};
engine_options rehearsing(findings& found, unsigned workers) {
  auto options = quiet_options(workers);
  options.rehearse = true;
  options.on_unrepeatable = [&found](const unrepeatable_handler& u) {
    const std::lock_guard lock(found.mutex);
    found.all.push_back(u.difference);
  };
  return options;
}

// What is found when f(self, oracle, sum) runs as the handler of one message, and then of another.
template <class F>
std::vector<std::string> found_in(F f) {
  findings found;
  engine e(rehearsing(found, 2));
  const auto wise = e.create(open_oracle(), tact::parallel);
  const auto total = e.create(open_sum(0));
  const auto one = e.create(behavior<caller>{[=](auto& self, const go&) { f(self, wise, total); },
                                             [](auto& self, const request<look>& m) { self.reply(m, 0L); }},
                            tact::parallel);
  for (long i = 0; i < 2; ++i) {
    e.send(one, go{i});
    require_idle(e);
  }
  return found.all;
}

}  // namespace

TEST_CASE("rehearse: a handler that waits runs twice up to its first wait, takes effect once, and asks once") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  const nothing_left check;
  findings found;
  std::atomic<long> begun{0}, asked{0};
  engine e(rehearsing(found, workers));
  const auto wise = e.create(behavior<circle>{[&](auto& self, const request<number>& m) {
                               self.on_commit([&asked] { ++asked; });
                               self.reply(m, m.body.n * 2);
                             }},
                             tact::parallel);
  const auto total = e.create(open_sum(0));
  const auto open = [&, wise, total, kept = tracked()]() -> behavior<caller> {
    return {[&, wise, total, kept](auto& self, const go& m) {
              ++begun;
              const std::string local(100, 'x');
              self.send(total, 1L);
              const auto made = self.create(open_sum(m.n), tact::parallel);
              self.send(made, 1L);
              const long answer = self.ask(wise, number{m.n}, 1h);
              self.send(total, answer * 1'000);
              self.send(total, self.ask(made, look{}) * 1'000'000);
              static_cast<void>(local);
            },
            [](auto& self, const request<look>& m) { self.reply(m, 0L); }};
  };
  const auto parallel_one = e.create(open(), tact::parallel);
  const auto ordered_one = e.create(open());
  constexpr long times = 100;
  for (long i = 0; i < times; ++i) e.send(i % 2 == 0 ? parallel_one : ordered_one, go{i});
  require_idle(e);
  const long all = times * (times - 1) / 2;
  CHECK(found.all.empty());
  CHECK(begun == 2 * times);
  CHECK(asked == times);
  CHECK(e.statistics().failures == 0);
  CHECK(e.statistics().timers_armed == 0);
  CHECK(e.ask(total, look{}) % 1'000'000 == (times + 2 * all * 1'000) % 1'000'000);
}

TEST_CASE("rehearse: what a handler does differently before its wait is named, and whether it waits") {
  std::atomic<unsigned> n{0};
  using all = std::vector<std::string>;
  const auto twice = [](const std::string& text) { return all{text, text}; };
  CHECK(found_in([&](auto& self, auto wise, auto total) {
          if (++n % 2 == 0) self.send(total, 1L);
          self.ask(wise, number{1});
        }) == twice("sends 2 messages"));
  const all other = found_in([&](auto& self, auto wise, auto) { self.ask(wise, number{++n}); });
  REQUIRE(other.size() == 2);
  CHECK(other.front().find("with another content") != std::string::npos);
  n = 0;
  CHECK(found_in([&](auto& self, auto wise, auto) {
          if (++n % 2 == 0) self.ask(wise, number{1});
        }) == twice("waits for an answer"));
  n = 0;
  CHECK(found_in([&](auto& self, auto wise, auto) {
          if (++n % 2 == 1) self.ask(wise, number{1});
        }) == twice("does not wait for an answer"));
  n = 0;
  CHECK(found_in([&](auto& self, auto wise, auto) {
          if (++n % 2 == 0) throw std::runtime_error("now and then");
          self.ask(wise, number{1});
        }) == twice("throws"));
}

TEST_CASE("rehearse: a handler that catches whatever its wait throws is not reported, nor what it does behind") {
  std::atomic<unsigned> n{0};
  CHECK(found_in([&](auto& self, auto wise, auto total) {
          try {
            self.ask(wise, number{1});
          } catch (...) {
            self.send(total, 7L);
          }
          self.send(total, long{++n});
          self.ask(wise, number{2});
        }).empty());
  CHECK(found_in([&](auto& self, auto wise, auto total) {
          self.ask(wise, number{1});
          if (++n % 2 == 0) self.send(total, 1L);
          if (n % 3 == 0) throw std::runtime_error("behind the wait");
        }).empty());
}

}  // namespace parked_reach_test
