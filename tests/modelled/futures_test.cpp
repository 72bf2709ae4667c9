// Promises and futures of a program in a model.
#include <future>

#include "modelled/nap.hpp"
#include "modelled/programs.hpp"
#include "support/death.hpp"
#include "tact/future.hpp"
#include "tact/tact.hpp"

namespace futures_test {

namespace {

using namespace tact::modelled_tests;
using namespace std::chrono_literals;
using clock = std::chrono::steady_clock;

struct query {
  using reply = int;
};
struct oracle : tact::protocol<tact::request<query>> {};
tact::behavior<oracle> open_oracle() {
  return {[](tact::self<oracle>& self, const tact::request<query>& m) {
    tact::model::spend_ns(1e6);
    self.reply(m, 42);
  }};
}

}  // namespace

TEST_CASE("model: a thread waits for a future until its promise is kept", "[modelled]") {
  int value = 0;
  double waited = 0;
  static_cast<void>(tact::model::run(free_options(), [&] {
    std::promise<int> promise;
    std::thread keeper([&] {
      nap(3ms);
      promise.set_value(7);
    });
    const auto began = clock::now();
    value = promise.get_future().get();
    waited = ns_since(began);
    keeper.join();
  }));
  CHECK(value == 7);
  CHECK(waited == 3e6);
}

TEST_CASE("model: an engine answers by a future", "[modelled]") {
  int answer = 0;
  const auto r = tact::model::run(small_options(), [&] {
    tact::engine e({.workers = 2});
    answer = e.ask_future(e.create(open_oracle()), query{}).get();
  });
  CHECK(answer == 42);
  CHECK(r.seconds >= 1e-3);
}

TEST_CASE("model: a wait for a future with a limit is over when the limit has passed", "[modelled]") {
  double by_duration = 0, by_clock = 0;
  static_cast<void>(tact::model::run(free_options(), [&] {
    std::promise<int> promise;
    const std::future<int> future = promise.get_future();
    const auto began = clock::now();
    if (future.wait_for(2ms) == std::future_status::timeout) by_duration = ns_since(began);
    if (future.wait_until(std::chrono::system_clock::now() + 3ms) == std::future_status::timeout)
      by_clock = ns_since(began);
  }));
  CHECK(by_duration == 2e6);
  CHECK(by_clock == 5e6);
}

TEST_CASE("model: a program that waits for a promise that nobody keeps ends with a report", "[modelled]") {
  const auto departed = tact::support::depart([] {
    static_cast<void>(tact::model::run(free_options(), [] {
      std::promise<int> promise;
      promise.get_future().wait();
    }));
  });
  CHECK(departed.aborted());
  CHECK_THAT(departed.words, Catch::Matchers::Contains("all of its threads wait"));
}

}  // namespace futures_test
