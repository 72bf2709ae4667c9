// What a handler that waits keeps beside its stack: its context, its timers, what it owes, and its mailbox.
#include <atomic>
#include <chrono>
#include <stdexcept>
#include <vector>

#include "stress/parked_ask.hpp"

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

struct numbers : protocol<request<number>> {};

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
  const auto hasty = e.create(behavior<numbers>{[=](auto& self, const request<number>& m) {
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
      behavior<numbers>{[keeper](auto& self, const request<number>& m) { self.reply(m, self.ask(keeper, m.body)); }},
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

}  // namespace parked_reach_test
