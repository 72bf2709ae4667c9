// How waits of handlers end, and where a handler must not wait.
#include <atomic>
#include <stdexcept>
#include <string>
#include <vector>

#include "stress/parked_ask.hpp"

namespace parked_end_test {

using namespace tact::parked_tests;
using namespace tact;

TEST_CASE("parked ask: every wait ends with the answer or the reason why there is none") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  struct moody : protocol<request<number>> {};
  engine e(quiet_options(workers));
  const auto throws = e.create(
      behavior<moody>{[](transaction&, const request<number>&) { throw std::runtime_error("no"); }}, tact::parallel);
  const auto silent = e.create(behavior<moody>{[](transaction&, const request<number>&) {}}, tact::parallel);
  std::atomic<int> reasons[8] = {};
  const auto asker =
      e.create(behavior<caller>{[&](auto& self, const go& m) {
                                  try {
                                    (void)self.ask(m.n == 0 ? throws : m.n == 1 ? silent : ref<moody>{}, number{1});
                                  } catch (const ask_error& error) {
                                    ++reasons[static_cast<int>(error.reason())];
                                  }
                                },
                                [](auto& self, const request<look>& m) { self.reply(m, 0L); }},
               tact::parallel);
  for (long i = 0; i < 300; ++i) e.send(asker, go{i % 3});
  require_idle(e);
  CHECK(reasons[static_cast<int>(failure_reason::handler_threw)] == 100);
  CHECK(reasons[static_cast<int>(failure_reason::unanswered)] == 100);
  CHECK(reasons[static_cast<int>(failure_reason::target_ended)] == 100);
}

TEST_CASE("parked ask: a handler that throws behind its wait has committed what came before, and fails its own asker") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  engine_options options = quiet_options(workers);
  std::atomic<int> reports{0};
  options.on_failure = [&](const failure_report& r) { reports += r.what == "after the answer"; };
  engine e(options);
  const auto wise = e.create(open_oracle(), tact::parallel);
  const auto total = e.create(open_sum(0));
  const auto thrower = [&](auto... how) {
    return e.create(behavior<caller>{[](auto&, const go&) {},
                                     [=](auto& self, const request<look>&) {
                                       const tracked here;
                                       self.send(total, 1L);
                                       (void)self.ask(wise, number{1});
                                       self.send(total, 1'000'000L);
                                       throw std::runtime_error("after the answer");
                                     }},
                    how...);
  };
  const nothing_left check;
  const auto parallel_one = thrower(tact::parallel);
  const auto ordered_one = thrower();
  for (int i = 0; i < 50; ++i) {
    CHECK_THROWS_AS(e.ask(i % 2 == 0 ? parallel_one : ordered_one, look{}), ask_error);
  }
  require_idle(e);
  CHECK(reports == 50);
  CHECK(e.statistics().failures == 50);
  CHECK(e.ask(total, look{}) == 50);
}

TEST_CASE("parked ask: at its end an engine resumes a thousand handlers that wait, and tells them so") {
  TACT_SEEDED(seed);
  std::atomic<long> came{0};  // requests that the keeper has
  TACT_FOR_EACH_WORKER_COUNT(workers);
  const nothing_left check;
  std::atomic<long> told{0};
  std::atomic<long> again{0};
  {
    engine e(quiet_options(workers));
    const auto keeper = e.spawn<keeping>(seed, came);
    const auto open_caller = [&]() -> behavior<caller> {
      return {[&, keeper](auto& self, const go& m) {
                const tracked here;
                try {
                  (void)self.ask(keeper, number{m.n});
                } catch (const ask_error& error) {
                  told += error.reason() == failure_reason::engine_ended;
                }
                self.send(keeper, answer_all{});
                try {
                  (void)self.ask(keeper, number{m.n});
                } catch (const ask_error& error) {
                  again += error.reason() == failure_reason::engine_ended;
                }
              },
              [](auto& self, const request<look>& m) { self.reply(m, 0L); }};
    };
    constexpr int callers = 10;
    std::vector<ref<caller>> all;
    for (int i = 0; i < callers; ++i) all.push_back(e.create(open_caller(), tact::parallel));
    for (int i = 0; i < callers; ++i) all.push_back(e.create(open_caller()));
    constexpr long waiters = 1'000;
    for (long i = 0; i < waiters - callers; ++i) e.send(all[static_cast<unsigned>(i % callers)], go{i});
    for (int i = 0; i < callers; ++i) e.send(all[static_cast<unsigned>(callers + i)], go{i});
    wait_until(e, [&] { return came == waiters; });
    e.cancel();
    require_accounted(e);
    CHECK(told == waiters);
    CHECK(again == waiters);
  }
}

TEST_CASE("parked ask: where a handler must not wait it is told so") {
  engine e(quiet_options(2));
  const auto wise = e.create(open_oracle(), tact::parallel);
  std::vector<std::string> texts;
  const auto try_it = [&](auto call) {
    try {
      call();
    } catch (const usage_error& error) {
      texts.emplace_back(error.what());
    }
  };
  struct clerk : protocol<go, request<number>> {};
  const auto open = [&](auto& same) -> behavior<clerk> {
    return {[&](self<clerk>& self, const go& m) {
              switch (m.n) {
                case 0:
                  self.stop();
                  try_it([&] { (void)self.ask(wise, number{1}); });
                  self.become(unchanged);
                  break;
                case 1:
                  try {
                    throw 1;
                  } catch (int) {
                    try_it([&] { (void)self.ask(wise, number{1}); });
                  }
                  break;
                case 2:
                  try_it([&] { (void)self.ask(self.ref(), number{1}); });
                  break;
                default:
                  (void)self.ask(wise, number{1});
                  try_it([&] { self.become(same(same)); });
              }
            },
            [](auto& self, const request<number>& m) { self.reply(m, 1L); }};
  };
  const auto one = e.create(open(open), tact::parallel);
  const auto in_order = e.create(open(open));
  for (long n : {0L, 1L, 3L}) {
    e.send(one, go{n});
    require_idle(e);
  }
  for (long n : {0L, 1L, 2L}) {
    e.send(in_order, go{n});
    require_idle(e);
  }
  REQUIRE(texts.size() == 6);
  e.send(in_order, go{3});  // nothing else changes it
  e.send(one, go{2});       // another handler of it answers
  require_idle(e);
  CHECK(texts.size() == 6);
  CHECK(e.statistics().failures == 0);
}

TEST_CASE("parked ask: an ordered actor becomes behind its wait, and stops; a parallel one stops") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  const nothing_left check;
  engine e(quiet_options(workers));
  const auto wise = e.create(open_oracle(), tact::parallel);
  struct make {
    static behavior<caller> open(ref<oracle> wise, long so_far, tracked t) {
      return {[=](self<caller>& self, const go& m) {
                const long n = self.ask(wise, number{m.n});
                if (n == 0) return self.stop();
                self.become(open(wise, so_far + n, t));
              },
              [=](auto& self, const request<look>& m) { self.reply(m, so_far); }};
    }
  };
  const auto one = e.create(make::open(wise, 0, {}));
  for (long i = 1; i <= 100; ++i) e.send(one, go{i});
  CHECK(e.ask(one, look{}) == 100 * 101);
  e.send(one, go{0});
  e.send(one, go{1});  // a dead letter
  require_idle(e);
  CHECK(e.statistics().dead_letters == 1);
  const auto other = e.create(make::open(wise, 0, {}), tact::parallel);
  e.send(other, go{0});
  require_idle(e);
  CHECK_THROWS_AS(e.ask(other, look{}), ask_error);
}

}  // namespace parked_end_test
