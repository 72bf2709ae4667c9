// What a handler that waits keeps beside its stack: its context, its timers, what it owes; and waits that never end.
#include <atomic>
#include <chrono>
#include <stdexcept>
#include <string>
#include <vector>

#include "stress/parked_ask.hpp"

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
  const auto stranger = e.create(open_stranger());
  const auto sees = e.create(open_witness(right));
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
  const auto parallel_one = e.create(open());
  const auto ordered_one = e.create(open(), ordered);
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
  const auto one = e.create(open());
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
  const auto wise = e.create(open_oracle());
  std::atomic<long> fired{0};
  const auto bell = e.create(behavior<witness>{[&](auto&, const go& m) { fired += m.n; }});
  const auto one = e.create(behavior<caller>{[=](auto& self, const go& m) {
                                               self.send_after(0ms, bell, go{1});
                                               const timer never = self.send_after(1h, bell, go{1'000'000});
                                               (void)self.ask(wise, number{1});
                                               self.cancel(never);
                                               self.send_after(0ms, bell, go{1'000});
                                               if (m.n % 2 == 1) throw std::runtime_error("behind the wait");
                                             },
                                             [](auto& self, const request<look>& m) { self.reply(m, 0L); }});
  for (long i = 0; i < 20; ++i) e.send(one, go{i});
  wait_until(e, [&] { return fired == 20 + 10 * 1'000; });
  require_idle(e);
  CHECK(fired == 20 + 10 * 1'000);
}

TEST_CASE("parked ask: who was answered before its handler waits hears nothing of a failure behind that") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  engine e(quiet_options(workers));
  const auto wise = e.create(open_oracle());
  const auto hasty = e.create(behavior<circle>{[=](auto& self, const request<number>& m) {
    self.reply(m, m.body.n + 1);
    (void)self.ask(wise, number{1});
    throw std::runtime_error("too late to take it back");
  }});
  for (long i = 0; i < 50; ++i) CHECK(e.ask(hasty, number{i}) == i + 1);
  require_idle(e);
  CHECK(e.statistics().failures == 50);
  CHECK(e.statistics().dead_letters == 0);
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
    all.push_back(i == 0 || !others_parallel ? e.create(make::open(next), ordered, named(name))
                                             : e.create(make::open(next), named(name)));
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
  const auto one = e.create(make::open({}), ordered);
  const auto other = e.create(make::open(one), ordered);
  e.send(one, asked(other));
  for (long i = 0; i < 50; ++i) {
    CHECK(e.ask(one, number{20}) == 20);
    require_idle(e);  // two such rows at once would wait for each other
  }
  CHECK(e.statistics().failures == 0);
}
#endif
