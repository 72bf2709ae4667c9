// The time that passes in a model.
#include <ctime>

#include "modelled/nap.hpp"
#include "modelled/programs.hpp"

namespace virtual_time_test {

namespace {

using namespace tact::modelled_tests;
using namespace std::chrono_literals;

// One access for each element, however the compiler optimizes.
[[gnu::noinline]] long sum_of(const std::vector<long>& numbers) {
  long sum = 0;
  for (const volatile long& n : numbers) sum += n;
  return sum;
}

}  // namespace

TEST_CASE("model: a program takes exactly what it spends where nothing else costs anything", "[modelled]") {
  const auto r = tact::model::run(free_options(), [] {
    for (int i = 0; i < 1'000; ++i) tact::model::spend_ns(1'234.5);
  });
  CHECK(r.seconds == Approx(1'234'500e-9));
  CHECK(r.busy_seconds == Approx(r.seconds));
  CHECK(r.threads == 1);
}

TEST_CASE("model: what is spent before, behind and outside of a model has no effect", "[modelled]") {
  CHECK(!tact::model::is_running());
  tact::model::spend_ns(1e9);
  tact::model::begin_counting();
  tact::model::end_counting();
  bool is_running = false;
  CHECK(ns_of(free_options(), [&] { is_running = tact::model::is_running(); }) == 0);
  CHECK(is_running);
  CHECK(!tact::model::is_running());
}

TEST_CASE("model: each access to memory costs, and is counted", "[modelled]") {
  constexpr std::size_t count = 100'000;
  const std::vector<long> numbers(count, 1);
  tact::model_options options = free_options();
  long sum = 0;
  const auto program = [&] { sum = sum_of(numbers); };
  CHECK(ns_of(options, program) == 0);
  options.costs.access = 0.25;
  const auto r = tact::model::run(options, program);
  CHECK(sum == static_cast<long>(count));
  CHECK(r.accesses >= count);
  CHECK(r.accesses < count + 100);
  CHECK(r.seconds * 1e9 == Approx(0.25 * static_cast<double>(r.accesses)));
}

TEST_CASE("model: each stretch of instructions costs", "[modelled]") {
  constexpr std::size_t count = 100'000;
  const std::vector<long> numbers(count, 1);
  tact::model_options options = free_options();
  options.costs.block = 2;
  long sum = 0;
  const double ns = ns_of(options, [&] { sum = sum_of(numbers); });
  CHECK(sum == static_cast<long>(count));
  CHECK(ns >= 2 * count);
  CHECK(ns < 4 * count);
}

TEST_CASE("model: memory costs what its caches miss", "[modelled]") {
  const std::vector<long> numbers(100'000, 1);  // 12,500 lines
  tact::model_options options = free_options();
  options.costs.memory = 100;
  options.costs.l2 = 1;
  options.costs.window = 0;
  options.costs.streams_waited = 0.5;
  long sum = 0;
  double first = 0, second = 0;
  static_cast<void>(tact::model::run(options, [&] {
    const auto began = std::chrono::steady_clock::now();
    sum += sum_of(numbers);
    first = ns_since(began);
    sum += sum_of(numbers);
    second = ns_since(began) - first;
  }));
  CHECK(sum == 200'000);
  CHECK(first == Approx(12'500 * 50).epsilon(0.01));
  CHECK(second == Approx(12'500 * 0.5).epsilon(0.01));
}

TEST_CASE("model: the clocks of a program show virtual time", "[modelled]") {
  double steady = 0, system = 0, posix = 0;
  static_cast<void>(tact::model::run(free_options(), [&] {
    const auto steady_began = std::chrono::steady_clock::now();
    const auto system_began = std::chrono::system_clock::now();
    timespec began{}, ended{};
    ::clock_gettime(CLOCK_MONOTONIC, &began);
    tact::model::spend_ns(5e9);
    ::clock_gettime(CLOCK_MONOTONIC, &ended);
    steady = ns_since(steady_began);
    system = std::chrono::duration<double, std::nano>(std::chrono::system_clock::now() - system_began).count();
    posix = static_cast<double>(ended.tv_sec - began.tv_sec) * 1e9 + static_cast<double>(ended.tv_nsec - began.tv_nsec);
  }));
  CHECK(steady == 5e9);
  CHECK(system == 5e9);
  CHECK(posix == 5e9);
}

TEST_CASE("model: to read a clock costs what it costs", "[modelled]") {
  tact::model_options options = free_options();
  options.costs.clock = 30;
  CHECK(ns_of(options, [] {
          for (int i = 0; i < 10; ++i) static_cast<void>(std::chrono::steady_clock::now());
        }) == Approx(300));
}

TEST_CASE("model: a thread that sleeps wakes when its time has come and no real time has passed", "[modelled]") {
  const auto began = std::chrono::steady_clock::now();
  const auto r = tact::model::run(free_options(), [] { nap(10min); });
  CHECK(r.seconds == Approx(600));
  CHECK(r.busy_seconds == 0);
  CHECK(r.sleeps == 1);
  CHECK(std::chrono::steady_clock::now() - began < 60s);
}

TEST_CASE("model: a thread that wakes late costs more where its processing unit was idle for long", "[modelled]") {
  tact::model_options options = free_options();
  options.costs.woken = 4'000;
  options.costs.woken_idle = 40'000;
  options.costs.idle_long = 100'000;
  const double soon = ns_of(options, [] { nap(50us); }) - 50'000;
  const double late = ns_of(options, [] { nap(500us); }) - 500'000;
  CHECK((soon >= 3'000 && soon <= 5'000));
  CHECK((late >= 30'000 && late <= 50'000));
}

TEST_CASE("model: threads sleep side by side", "[modelled]") {
  const double ns = ns_of(free_options(), [] { on_threads(20, [](unsigned i) { nap(std::chrono::seconds(i)); }); });
  CHECK(ns == Approx(19e9));
}

}  // namespace virtual_time_test
