// How many workers handle the most messages, found out by trying: with a made-up machine, whose rates are known.
#include "dispatch/policy/crew_size.hpp"

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

constexpr std::uint64_t measurement_ns = crew_size::measurement_ns;
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

// What is measured of workers that handle so many messages, while handlers keep so many workers by themselves and so
// many messages wait.
crew_size::measurement handled(std::uint64_t messages, double kept = 0, std::uint64_t waiting = 0) {
  return {messages, measurement_ns, static_cast<std::uint64_t>(kept * measurement_ns), waiting};
}
// So many messages can be moved in that time.
constexpr std::uint64_t moved_in(std::uint64_t ns) { return ns / tact::dispatch::prices::message_ns; }

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

outcome run(crew_size& size, const machine& on, unsigned measurements, dice* with_noise = nullptr,
            std::uint64_t waiting = 0) {
  outcome o;
  double done = 0;
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
    done += rate;
    const double wrong = with_noise == nullptr ? 0 : noise * (with_noise->below(2'001) / 1'000.0 - 1);
    size.measured(handled(static_cast<std::uint64_t>(rate * (1 + wrong) * measurement_ns), 0, waiting));
  }
  o.lost = 1 - done / (measurements * on.best());
  return o;
}

// How long each of the trials was, in measurements, and how many lay between one and the next.
struct trial_times {
  std::vector<std::size_t> lengths;
  std::vector<std::size_t> pauses;
};
trial_times times_of_trials(const outcome& o, unsigned size) {
  trial_times all;
  std::size_t last = o.order.size();
  for (std::size_t i = 0; i < o.order.size(); ++i) {
    if (o.order[i] != size) continue;
    if (last == o.order.size() || i != last + 1) {
      if (last != o.order.size()) all.pauses.push_back(i - last);
      all.lengths.push_back(0);
    }
    ++all.lengths.back();
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

TEST_CASE("crew size: nothing is tried before the size was in force as long as the two changes take", "[dispatch]") {
  const machine on{8, 8};
  const auto first_trial = [&](std::uint64_t change_ns) {  // if a change takes so long
    crew_size size(8);
    unsigned measurements = 0;
    for (; !size.tries() && measurements < long_run; ++measurements)
      static_cast<void>(run(size, on, 1, nullptr, moved_in(change_ns)));
    return measurements;
  };
  CHECK(first_trial(0) <= 3);
  const unsigned first = first_trial(100 * measurement_ns);
  CHECK((first >= 200 && first < 250));
  CHECK(first_trial(std::uint64_t{1} << 50) == long_run);

  // What it takes changes: when less waits, the trial comes sooner; and the way back from a trial waits for nothing.
  crew_size size(8);
  static_cast<void>(run(size, on, 150, nullptr, moved_in(100 * measurement_ns)));
  CHECK(size.workers() == 8);
  static_cast<void>(run(size, on, 1, nullptr, moved_in(measurement_ns)));
  REQUIRE(size.tries());
  static_cast<void>(run(size, on, 2, nullptr, moved_in(measurement_ns)));
  CHECK(size.workers() == 8);
}

TEST_CASE("crew size: nothing that is handled while what waits is moved counts for or against a size", "[dispatch]") {
  constexpr unsigned moves_for = 20;  // measurements
  crew_size size(2);
  for (unsigned n = 0, in_force = 0, before = 2; n < 4'000; ++n) {
    in_force = size.workers() == before ? in_force + 1 : 0;
    before = size.workers();
    // Two are better, and nothing is handled while it is changed.
    size.measured(handled(in_force < moves_for ? 0
                          : before == 2        ? 20'000
                                               : 10'000,
                          0, moved_in(moves_for * measurement_ns)));
  }
  for (unsigned n = 0; size.tries() && n < 100; ++n)
    size.measured(handled(10'000, 0, moved_in(moves_for * measurement_ns)));
  CHECK(size.workers() == 2);
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
        REQUIRE(after.trials <= long_run / 10);  // others are tried seldom
        REQUIRE(in_force(size, on) == peak);
      }
    }
  }
}

// The best size is beside the one that is in force at first; each other size handles less by 2 % or more.
TEST_CASE("crew size: among sizes that are about as fast wrong measurements seldom move it, and not away",
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
  CHECK(alone.times.at(1) > 900);
  size.begin();
  const outcome both = run(size, {2, 2}, 1'000);
  CHECK(both.times.at(2) > 900);
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

TEST_CASE("crew size: a size that fails is tried later and later, up to a limit, but again and again", "[dispatch]") {
  crew_size size(2);
  const auto all = times_of_trials(run(size, {2, 2, 50, 0.8}, long_run), 1);
  constexpr std::size_t longest = 1'000;
  REQUIRE(all.pauses.size() > long_run / longest);
  CHECK(all.lengths.front() <= 3);
  for (std::size_t i = 1; i < all.pauses.size(); ++i) {
    CHECK(all.pauses[i] >= all.pauses[i - 1]);
    CHECK(all.lengths[i] == all.lengths[i - 1]);
    CHECK(all.pauses[i] < longest);
  }
}

TEST_CASE("crew size: a size that fails is tried the later the more it has lost", "[dispatch]") {
  const auto last_pause = [](double keeps) {
    crew_size size(2);
    return times_of_trials(run(size, {2, 2, 50, keeps}, long_run), 1).pauses.back();
  };
  const std::size_t little = last_pause(0.9), half = last_pause(0.5), most = last_pause(0.1);
  CHECK(half > 3 * little);
  CHECK(most > 3 * half / 2);
}

// Messages are handled in bursts: in every eighth measurement ten times as many.
TEST_CASE("crew size: where messages come in bursts the better size is in force nearly always", "[dispatch]") {
  for (const unsigned better : {1u, 2u}) {
    INFO("better=" << better);
    crew_size size(2);
    unsigned right = 0;
    for (unsigned n = 0; n < long_run; ++n) {
      right += size.workers() == better;
      const std::uint64_t messages = n % 8 == 3 ? 50'000 : 5'000;
      size.measured(handled(size.workers() == better ? messages : messages * 7 / 10));
    }
    CHECK(right > long_run * 9 / 10);
  }
}

// What waits is moved to where it is run, and nothing is handled meanwhile; or it is handled. So a measurement has all
// or nothing, and says little of the size. A trial may still be judged wrongly.
TEST_CASE("crew size: where messages are moved and handled in turns, the better size is found and kept", "[dispatch]") {
  constexpr std::uint64_t waiting = 100'000;
  TACT_SEEDED(seed);
  dice d(seed);
  for (const unsigned better : {1u, 2u}) {
    INFO("better=" << better);
    unsigned right = 0;
    for (unsigned round = 0; round < 20; ++round) {
      crew_size size(2);
      for (unsigned n = 0, moves_for = d.below(4), runs_for = 1; n < 2'000; ++n) {
        const bool is_right = size.workers() == better;
        if (n >= 200) right += is_right;
        const bool moves = moves_for != 0;
        size.measured(handled(moves ? 0 : is_right ? waiting / 2 : waiting / 4, 0, waiting));
        --(moves ? moves_for : runs_for);
        if (runs_for == 0) moves_for = 2 + d.below(3), runs_for = is_right ? 2 : 4;
      }
    }
    CHECK(right > 20 * 1'800 * 85 / 100);
  }
}

// The ski rental: a trial costs no more than a small part of what the size in force has done before it.
TEST_CASE("crew size: all trials of a long run together cost less than 2 %, once the best size is found",
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
  CHECK(worst < 0.02);
}

// From the very beginning, with nothing known.
TEST_CASE("crew size: in the first fifty milliseconds most is done with the better of two sizes", "[dispatch]") {
  constexpr unsigned first = 100;
  for (const unsigned peak : {1u, 2u}) {
    for (const double keeps : {0.3, 0.5, 0.8}) {
      INFO("peak=" << peak << " keeps=" << keeps);
      crew_size size(2);
      CHECK(run(size, {2, peak, 50, keeps}, first).lost < 0.1);
    }
  }
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
      const auto any = [&] { return d.one_in(2) ? 0 : d.next() >> d.below(64); };
      size.measured({any(), any(), any(), any()});
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
      size.measured(handled(20, std::min<double>(kept, size.workers())));
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
    size.measured(handled(1'000, peak / 4.0));
    while (size.tries()) size.measured(handled(1));
    CHECK(size.workers() == peak);
    size.measured(handled(1'000, peak / 2.0));
    CHECK(size.workers() == peak);  // once may be chance
    size.measured(handled(1'000, peak / 2.0));
    CHECK(size.workers() == most);
    CHECK_FALSE(size.tries());
  }
}

TEST_CASE("crew size: handlers that end by turns are remembered as keeping workers, but not for ever", "[dispatch]") {
  crew_size size(8);
  // All eight end in every fourth measurement.
  for (unsigned n = 0; n < 1'000; ++n) {
    size.measured(handled(20, n % 4 == 0 ? 8 : 0));
    REQUIRE(size.workers() == 8);
  }
  unsigned least = 8;
  for (unsigned n = 0; n < 100; ++n) {
    size.measured(handled(20));
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
    size.measured(handled(d.below(500), kept));
    REQUIRE(size.workers() >= 4);
  }
}

// After a change the actors lie in other caches: what is handled then says little of what will be.
TEST_CASE(
    "crew size: neither a size that is tried nor the one in force is judged by the first measurement after a "
    "change",
    "[dispatch]") {
  constexpr std::uint64_t messages = 50'000;
  for (const unsigned better : {1u, 2u}) {
    INFO("better=" << better);
    crew_size size(2);
    unsigned wrong = 0;
    for (unsigned n = 0, since = 0, before = 2; n < 5'000; ++n) {
      since = size.workers() == before ? since + 1 : 0;
      before = size.workers();
      wrong += before != better;
      size.measured(handled(since == 0 ? messages / 10 : before == better ? messages : messages / 2));
    }
    CHECK(wrong < 500);
  }
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

TEST_CASE("crew size: no size that is due is kept waiting by another one that fails again and again", "[dispatch]") {
  crew_size size(64);
  std::vector<unsigned> tried;
  for (unsigned n = 0; n < 400; ++n) {
    if (size.tries() && (tried.empty() || tried.back() != size.workers())) tried.push_back(size.workers());
    size.measured(handled(size.tries() ? 1'000 : 2'000));  // each trial fails
  }
  REQUIRE(tried.size() > 4);
  for (std::size_t i = 1; i < tried.size(); ++i) CHECK(tried[i] != tried[i - 1]);
  CHECK(std::count(tried.begin(), tried.end(), 1U) >= 2);
  CHECK(std::count(tried.begin(), tried.end(), 32U) >= 2);
}

}  // namespace crew_size_test
