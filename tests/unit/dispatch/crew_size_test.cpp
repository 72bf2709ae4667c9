// How many workers handle the most messages, found out by trying: with a made-up machine, whose rates are known.
#include "dispatch/crew_size.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "support/catch.hpp"
#include "support/dice.hpp"
#include "support/seed.hpp"

namespace crew_size_test {

namespace {

using tact::dispatch::crew_size;
using tact::support::dice;

constexpr std::uint64_t measurement_ns = 500'000;
constexpr double noise = 0.05;  // a measurement may be wrong by so much in either direction
constexpr unsigned long_run = 20'000;
constexpr unsigned time_to_settle = 1'500;

// The sizes that are tried.
std::vector<unsigned> sizes_of(unsigned most) {
  std::vector<unsigned> all;
  for (unsigned size = 1; size < most; size *= 2) all.push_back(size);
  all.push_back(most);
  return all;
}

// A machine that is fastest with `peak` workers, each of which then handles a message in `ns`. With each size that is
// further away from that it handles `keeps` times as many. It refuses sizes that should not be tried.
class machine {
 public:
  machine(unsigned most, unsigned peak, double ns = 50, double keeps = 0.7) : best_(peak / ns) {
    const auto all = sizes_of(most);
    const auto from = std::find(all.begin(), all.end(), peak);
    REQUIRE(from != all.end());
    for (auto to = all.begin(); to != all.end(); ++to) {
      rates_[*to] = best_ * std::pow(keeps, std::abs(static_cast<double>(to - from)));
    }
  }
  [[nodiscard]] double best() const { return best_; }
  [[nodiscard]] double rate(unsigned size) const { return rates_.at(size); }

 private:
  double best_;
  std::map<unsigned, double> rates_;  // messages in a nanosecond
};

// What came of a number of measurements.
struct outcome {
  std::map<unsigned, unsigned> times;  // how often each size was measured
  std::vector<unsigned> order;         // of those sizes
  unsigned trials = 0;
  unsigned changes = 0;  // of the size that is in force
  double lost = 0;       // how much less was handled than by the best size; 1: all
};

outcome run(crew_size& size, const machine& on, unsigned measurements, dice* with_noise = nullptr) {
  outcome o;
  double handled = 0;
  unsigned in_force = 0;
  for (unsigned i = 0; i < measurements; ++i) {
    const unsigned workers = size.workers();
    if (!size.tries()) {
      o.changes += in_force != 0 && in_force != workers;
      in_force = workers;
    }
    o.trials += size.tries();
    ++o.times[workers];
    o.order.push_back(workers);
    const double rate = on.rate(workers);
    handled += rate;
    const double wrong = with_noise == nullptr ? 0 : noise * (with_noise->below(2'001) / 1'000.0 - 1);
    size.measured(static_cast<std::uint64_t>(rate * (1 + wrong) * measurement_ns), measurement_ns);
  }
  o.lost = 1 - handled / (measurements * on.best());
  return o;
}

// How many measurements lay between one trial of a size and the next, in turn. A trial may take several.
std::vector<std::size_t> pauses(const outcome& o, unsigned size) {
  std::vector<std::size_t> all;
  std::size_t last = o.order.size();
  for (std::size_t i = 0; i < o.order.size(); ++i) {
    if (o.order[i] != size) continue;
    if (last != o.order.size() && i != last + 1) all.push_back(i - last);
    last = i;
  }
  return all;
}

unsigned in_force(crew_size& size, const machine& on) {
  while (size.tries()) static_cast<void>(run(size, on, 1));
  return size.workers();
}

}  // namespace

TEST_CASE("crew size: all workers run at first, and after each new beginning", "[dispatch]") {
  for (const unsigned most : {1u, 2u, 3u, 8u, 100u}) {
    INFO("most=" << most);
    crew_size size(most);
    CHECK(size.workers() == most);
    CHECK_FALSE(size.tries());
    static_cast<void>(run(size, {most, 1}, time_to_settle));
    REQUIRE(in_force(size, {most, 1}) == 1);
    size.begin();
    CHECK(size.workers() == most);
    CHECK_FALSE(size.tries());
    size.set_most(most + 1);
    CHECK(size.workers() == most + 1);
    CHECK_FALSE(size.tries());
  }
}

TEST_CASE("crew size: a new beginning forgets all that was measured", "[dispatch]") {
  const machine slow_together{12, 1}, fast_together{12, 12};
  crew_size used(12), fresh(12);
  static_cast<void>(run(used, slow_together, long_run));
  used.begin();
  CHECK(run(used, fast_together, 5'000).order == run(fresh, fast_together, 5'000).order);
}

TEST_CASE("crew size: nothing is tried before the size was in force 32 times as long as a change takes", "[dispatch]") {
  const machine on{8, 8};
  const auto first_trial = [&](std::uint64_t change_ns) {
    crew_size size(8);
    size.change_costs(change_ns);
    unsigned measurements = 0;
    for (; !size.tries() && measurements < long_run; ++measurements) static_cast<void>(run(size, on, 1));
    return measurements;
  };
  CHECK(first_trial(0) < 100);
  CHECK(first_trial(100 * measurement_ns) == 32 * 100);
  CHECK(first_trial(std::uint64_t{1} << 40) == long_run);

  // What it takes changes: when less waits, the trial comes sooner; and the way back from a trial waits for nothing.
  crew_size size(8);
  size.change_costs(100 * measurement_ns);
  static_cast<void>(run(size, on, 1'000));
  CHECK(size.workers() == 8);
  size.change_costs(measurement_ns);
  static_cast<void>(run(size, on, 2));
  REQUIRE(size.tries());
  size.change_costs(100 * measurement_ns);
  for (int n = 0; n < 8 && size.tries(); ++n) static_cast<void>(run(size, on, 1));
  CHECK(size.workers() == 8);
}

TEST_CASE("crew size: the best size is found, wherever it lies, and kept although measurements are wrong by 5 %",
          "[dispatch]") {
  TACT_SEEDED(seed);
  dice d(seed);
  for (const unsigned most : {2u, 3u, 6u, 8u, 11u, 64u, 100u}) {
    for (const unsigned peak : sizes_of(most)) {
      for (const double keeps : {0.5, 0.7, 0.85}) {
        INFO("most=" << most << " peak=" << peak << " keeps=" << keeps);
        const machine on{most, peak, 20, keeps};
        crew_size size(most);
        static_cast<void>(run(size, on, time_to_settle, &d));
        REQUIRE(in_force(size, on) == peak);
        const outcome after = run(size, on, long_run, &d);
        REQUIRE(after.changes == 0);
        REQUIRE(after.times.at(peak) == long_run - after.trials);
        REQUIRE(after.trials <= long_run / 100);  // others are tried seldom
        REQUIRE(in_force(size, on) == peak);
      }
    }
  }
}

// The best size is beside the one that is in force at first; each other size handles less by 2 % or more.
TEST_CASE("crew size: among sizes that are about as fast wrong measurements move it once at most, and not away",
          "[dispatch]") {
  TACT_SEEDED(seed);
  dice d(seed);
  for (int round = 0; round < 10; ++round) {
    const machine on{8, 4, 50, 0.98};
    crew_size size(8);
    const outcome o = run(size, on, long_run, &d);
    CHECK(o.changes <= 1);
    const unsigned last = in_force(size, on);
    CHECK((last == 4 || last == 8));
    CHECK(o.lost < 0.025);
  }
}

TEST_CASE("crew size: of two workers one rests if it is in the way, and else seldom", "[dispatch]") {
  crew_size size(2);
  const outcome alone = run(size, {2, 1}, 1'000);
  CHECK(alone.times.at(1) > 850);
  size.begin();
  const outcome both = run(size, {2, 2}, 1'000);
  CHECK(both.times.at(2) > 990);
  CHECK(both.times.at(1) >= 1);
}

TEST_CASE("crew size: one worker is never less and never more than one", "[dispatch]") {
  crew_size size(1);
  const outcome o = run(size, {1, 1}, 5'000);
  CHECK(o.times.at(1) == 5'000);
  CHECK(o.trials == 0);
  size.set_most(0);
  CHECK(size.workers() == 1);
}

TEST_CASE("crew size: sizes that are no powers of two are tried only if all workers are so many", "[dispatch]") {
  const auto tried = [](unsigned most) {
    crew_size size(most);
    std::vector<unsigned> all;
    // The best size is 2, and each of the others is a neighbour, or one or all.
    for (const auto& [workers, times] : run(size, {most, 2, 50, 0.85}, long_run).times) all.push_back(workers);
    return all;
  };
  CHECK(tried(3) == std::vector<unsigned>{1, 2, 3});
  CHECK(tried(4) == std::vector<unsigned>{1, 2, 4});
  CHECK(tried(5) == std::vector<unsigned>{1, 2, 4, 5});
}

// A message takes a worker 4 ns at least. If 64 workers take 8 ns for each, then 32 handle no more however fast they
// are.
TEST_CASE("crew size: a size that could not gain, however fast its workers were, is never tried", "[dispatch]") {
  crew_size size(64);
  CHECK(run(size, {64, 64, 7, 0.5}, long_run).trials == 0);
  size.begin();
  const outcome one = run(size, {64, 64, 10, 0.5}, long_run);
  CHECK(one.times.at(32) > 0);
  CHECK(one.trials == one.times.at(32));
  // One that takes 4.2 ns alone leaves no room for being faster alone, but two may be.
  size.begin();
  const outcome alone = run(size, {64, 1, 4.2, 0.5}, long_run);
  CHECK(alone.times.count(2) == 1);
}

TEST_CASE("crew size: a size that fails is tried later and later, but again and again", "[dispatch]") {
  crew_size size(2);
  const auto waits = pauses(run(size, {2, 2, 50, 0.8}, long_run), 1);
  constexpr std::size_t longest = 1'024;
  REQUIRE(waits.size() >= long_run / (longest + 1) - 1);
  CHECK(waits.front() < longest / 4);
  for (std::size_t i = 1; i < waits.size(); ++i) {
    CHECK(waits[i] >= std::min(longest, 2 * (waits[i - 1] - 1)));
    CHECK(waits[i] <= longest + 1);
  }
}

TEST_CASE("crew size: a size that fails is tried the later the more it has lost", "[dispatch]") {
  const auto first_pause = [](double keeps) {
    crew_size size(2);
    return pauses(run(size, {2, 2, 50, keeps}, 5'000), 1).front();
  };
  const std::size_t little = first_pause(0.95), half = first_pause(0.5), most = first_pause(0.2);
  CHECK(half > 3 * little / 2);
  CHECK(most > 2 * half);
}

TEST_CASE("crew size: the first trial comes the sooner the more a message costs", "[dispatch]") {
  const auto first_trial = [](double ns) {
    crew_size size(2);
    const auto order = run(size, {2, 2, ns, 0.5}, 1'000).order;
    return std::find(order.begin(), order.end(), 1U) - order.begin();
  };
  const auto cheap = first_trial(20), dear = first_trial(200), very_dear = first_trial(5'000);
  CHECK(cheap > 5 * dear);
  CHECK(dear > 5 * very_dear);
  CHECK(very_dear >= 1);
}

TEST_CASE("crew size: all trials of a long run together cost less than 1 %, once the best size is found",
          "[dispatch]") {
  TACT_SEEDED(seed);
  dice d(seed);
  double worst = 0;
  for (const unsigned most : {2u, 8u, 11u, 64u}) {
    for (const unsigned peak : sizes_of(most)) {
      for (const double ns : {20.0, 50.0, 500.0, 5'000.0}) {
        for (const double keeps : {0.3, 0.5, 0.7, 0.85}) {
          crew_size size(most);
          const machine on{most, peak, ns, keeps};
          INFO("most=" << most << " peak=" << peak << " ns=" << ns << " keeps=" << keeps);
          static_cast<void>(run(size, on, time_to_settle, &d));
          REQUIRE(in_force(size, on) == peak);
          worst = std::max(worst, run(size, on, long_run, &d).lost);
        }
      }
    }
  }
  CHECK(worst > 0);
  CHECK(worst < 0.01);
}

TEST_CASE("crew size: when another size has become the best one it is found, without a new beginning", "[dispatch]") {
  TACT_SEEDED(seed);
  dice d(seed);
  constexpr unsigned most = 12;
  for (const auto& [before, after] : {std::pair{1U, most}, {most, 1U}, {4U, 1U}, {4U, most}, {2U, 8U}, {8U, 2U}}) {
    INFO("before=" << before << " after=" << after);
    crew_size size(most);
    static_cast<void>(run(size, {most, before}, long_run, &d));
    REQUIRE(in_force(size, {most, before}) == before);
    static_cast<void>(run(size, {most, after}, 3 * time_to_settle, &d));
    CHECK(in_force(size, {most, after}) == after);
  }
}

TEST_CASE("crew size: whatever is measured, nothing at all or very much, a size is one of those that are tried",
          "[dispatch]") {
  TACT_SEEDED(seed);
  dice d(seed);
  for (const unsigned most : {1u, 2u, 7u, 64u}) {
    const auto allowed = sizes_of(most);
    crew_size size(most);
    for (unsigned i = 0; i < long_run; ++i) {
      const unsigned workers = size.workers();
      REQUIRE(std::find(allowed.begin(), allowed.end(), workers) != allowed.end());
      const std::uint64_t messages = d.one_in(2) ? 0 : d.next() >> d.below(64);
      size.measured(messages, d.one_in(10) ? 0 : d.next() >> d.below(64));
      if (d.one_in(1'000)) size.begin();
    }
  }
}

// Handlers that take long do so with any number of workers.
TEST_CASE("crew size: while handlers keep workers busy by themselves, no fewer workers are tried", "[dispatch]") {
  constexpr unsigned most = 16;
  const auto least_tried = [](double kept) {
    crew_size size(most);
    unsigned least = most;
    for (unsigned n = 0; n < long_run; ++n) {
      least = std::min(least, size.workers());
      const double now = std::min<double>(kept, size.workers());
      size.handlers_kept(static_cast<std::uint64_t>(now * measurement_ns), measurement_ns);
      size.measured(20, measurement_ns);  // few messages: without that, others would be tried at once
    }
    return least;
  };
  CHECK(least_tried(0) == 1);
  CHECK(least_tried(1) > 1);
  CHECK(least_tried(5) == 8);
  CHECK(least_tried(10) == most);
  CHECK(least_tried(most) == most);
}

// They do with more workers as well. To find that out by one trial after the other would take milliseconds.
TEST_CASE("crew size: as soon as handlers keep half of the workers by themselves all run", "[dispatch]") {
  constexpr unsigned most = 64;
  for (const unsigned peak : {1u, 2u, 8u}) {
    INFO("peak=" << peak);
    crew_size size(most);
    static_cast<void>(run(size, {most, peak}, time_to_settle));
    REQUIRE(in_force(size, {most, peak}) == peak);
    size.handlers_kept(peak * measurement_ns / 4, measurement_ns);
    size.measured(1'000, measurement_ns);
    while (size.tries()) size.measured(1, measurement_ns);
    CHECK(size.workers() == peak);
    size.handlers_kept(peak * measurement_ns / 2, measurement_ns);
    size.measured(1'000, measurement_ns);
    CHECK(size.workers() == most);
    CHECK_FALSE(size.tries());
  }
}

TEST_CASE("crew size: handlers that end by turns are remembered as keeping workers, but not for ever", "[dispatch]") {
  crew_size size(8);
  // All eight end in every fourth measurement.
  for (unsigned n = 0; n < 1'000; ++n) {
    size.handlers_kept(n % 4 == 0 ? 8 * measurement_ns : 0, measurement_ns);
    size.measured(20, measurement_ns);
    REQUIRE(size.workers() == 8);
  }
  unsigned least = 8;
  for (unsigned n = 0; n < 100; ++n) {
    size.handlers_kept(0, measurement_ns);
    size.measured(20, measurement_ns);
    least = std::min(least, size.workers());
  }
  CHECK(least == 1);
}

// Of messages that take a thousand times as long as others, some measurements have many, and some few.
TEST_CASE("crew size: what handlers do by themselves counts, more than how many short messages there are between",
          "[dispatch]") {
  TACT_SEEDED(seed);
  dice d(seed);
  crew_size size(8);
  for (unsigned n = 0; n < long_run; ++n) {
    // Two workers would be enough at times, so fewer than all are tried; but all do the most.
    const double kept = std::min<double>(size.workers(), n % 64 < 32 ? 3 : 6);
    size.handlers_kept(static_cast<std::uint64_t>(kept * measurement_ns), measurement_ns);
    size.measured(d.below(500), measurement_ns);
    REQUIRE(size.workers() >= 4);
  }
}

// After a change the actors lie in other caches: what is handled then says little of what will be.
TEST_CASE("crew size: a size that gets better with time is not judged by its first measurement", "[dispatch]") {
  constexpr std::uint64_t slow = 5'000, quick = 500;  // messages in a measurement
  crew_size size(2);
  for (unsigned n = 0, in_force = 0; n < 500; ++n) {
    in_force = size.workers() == 1 ? in_force + 1 : 0;
    const std::uint64_t alone = in_force == 1 ? quick : in_force == 2 ? 5 * quick : 4 * slow;
    size.measured(size.workers() == 1 ? alone : slow, measurement_ns);
  }
  while (size.tries()) size.measured(slow, measurement_ns);
  CHECK(size.workers() == 1);
}

// With 1024 workers it took nine trials to come to one by halves, each of them as slow as what it was to leave.
TEST_CASE("crew size: where messages are dear one worker is tried first", "[dispatch]") {
  for (const unsigned most : {4u, 64u, 1024u}) {
    INFO("most=" << most);
    crew_size size(most);
    const auto order = run(size, {most, 1, 5'000, 0.7}, 100).order;
    const auto first = std::find_if(order.begin(), order.end(), [=](unsigned n) { return n != most; });
    REQUIRE(first != order.end());
    CHECK(*first == 1);
  }
}

// The first measurement of a better size is better than the other one, but the next one shows what it can do. If the
// first one counted, a neighbour that is half as good would be taken.
TEST_CASE("crew size: what a better size can do is measured before its neighbours are tried", "[dispatch]") {
  constexpr std::uint64_t all = 500, first = 1'000, settled = 10'000, half = 5'000;  // messages in a measurement
  crew_size size(64);
  std::vector<unsigned> order;
  unsigned of_two = 0;
  for (unsigned n = 0, alone = 0; n < 60; ++n) {
    const unsigned workers = size.workers();
    if (order.empty() || order.back() != workers) order.push_back(workers);
    of_two += workers == 2;
    alone = workers == 1 ? alone + 1 : 0;
    size.measured(workers > 2 ? all : workers == 2 ? half : alone == 1 ? first : settled, measurement_ns);
    if (order.size() == 2 && alone == 1) CHECK(size.workers() == 1);  // once more, and not yet two
  }
  CHECK(order.front() == 64);
  CHECK(order.at(1) == 1);
  CHECK(of_two != 0);
  while (size.tries()) size.measured(all, measurement_ns);
  CHECK(size.workers() == 1);
}

TEST_CASE("crew size: after a trial the size in force is not judged by its first measurement either", "[dispatch]") {
  constexpr std::uint64_t messages = 50'000;  // in a measurement
  crew_size size(2);
  unsigned trials = 0;
  for (unsigned n = 0, since = 0; n < 5'000; ++n) {
    since = size.tries() ? 0 : since + 1;
    trials += size.tries();
    REQUIRE((size.tries() || size.workers() == 2));
    size.measured(size.tries() ? messages / 2 : since == 1 ? messages / 10 : messages, measurement_ns);
  }
  CHECK(trials != 0);
}

TEST_CASE("crew size: no size that is due is kept waiting by another one that fails again and again", "[dispatch]") {
  crew_size size(64);
  std::vector<unsigned> tried;
  for (unsigned n = 0; n < 40; ++n) {
    if (size.tries()) tried.push_back(size.workers());
    size.measured(size.tries() ? 1'000 : 2'000, measurement_ns);  // each trial fails, and all are due at once
  }
  const auto first = std::find(tried.begin(), tried.end(), 1U);
  REQUIRE(first != tried.end());
  CHECK(first - tried.begin() <= 2);
}

}  // namespace crew_size_test
