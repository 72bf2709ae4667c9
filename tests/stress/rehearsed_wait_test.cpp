// Handlers that wait, in engines that run each handler twice (engine_options::rehearse).
#include <atomic>
#include <mutex>
#include <string>
#include <vector>

#include "stress/parked_ask.hpp"

namespace rehearsed_wait_test {

using namespace tact::parked_tests;
using namespace tact;
using namespace std::chrono_literals;

namespace {

struct numbers : protocol<request<number>> {};

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
  const auto wise = e.create(behavior<numbers>{[&](auto& self, const request<number>& m) {
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

}  // namespace rehearsed_wait_test
