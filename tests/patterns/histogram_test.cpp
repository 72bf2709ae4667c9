// tact::histogram: values are counted once, whatever fails, and quantiles are as exact as promised.
#include "tact/patterns/histogram.hpp"

#include <cmath>

#include "patterns/trouble.hpp"

namespace histogram_test {

namespace {

using namespace tact::patterns_tests;
using tact::distribution;

constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();

// A histogram that copies its buckets at each third record.
tact::behavior<tact::histogram_protocol> settles_often() {
  return tact::detail::recorded_values{tact::detail::keep(distribution()), {}, 0, 3};
}

// Each message counts a bit of its own, so the sum says which of them were counted, and how often.
template <class Make>
void threads_record(tact::simulation& sim, const trouble& t, bool parallel, const Make& make) {
  auto& engine = sim.engine(quiet_options(3));
  const auto h = parallel ? engine.create(make(), tact::parallel) : engine.create(make());
  t.begin();
  for (int thread = 0; thread < 2; ++thread) {
    sim.start_thread([&engine, h, t, thread] {
      for (int i = 0; i < 3; ++i) {
        t.tries([&] { engine.send(h, tact::record_value{std::uint64_t{1} << (8 * (3 * thread + i))}); });
      }
    });
  }
  sim.run();
  const auto read = [&] {
    try {
      return engine.ask(h, tact::read_distribution{});
    } catch (const std::exception&) {
      return engine.ask(h, tact::read_distribution{});
    }
  };
  const distribution d = read();
  std::uint64_t counted = 0;
  for (int i = 0; i < 6; ++i) {
    const std::uint64_t times = (d.sum() >> (8 * i)) & 255;
    sim.check(times <= 1, "a value was counted twice");
    counted += times;
  }
  sim.check(counted >= (t.is_none() ? 6u : 5u), "a value was not counted");
  sim.check(d.count() == counted, "count and sum are of different values");
  sim.end();
}

// Counts where a run that collides cannot take it back.
struct shared_values {
  std::mutex mutex;
  distribution all;
};
tact::behavior<tact::histogram_protocol> records_aside(
    std::shared_ptr<shared_values> s = std::make_shared<shared_values>()) {
  return {
      [s](tact::self<tact::histogram_protocol>& self, const tact::record_value& m) {
        const std::lock_guard lock(s->mutex);
        s->all.record(m.value);
        self.become(records_aside(s));
      },
      [](auto&, const tact::merge_values&) {},
      [s](auto& self, const tact::request<tact::read_distribution>& m) { self.reply(m, s->all); },
      [s](auto& self, const tact::request<tact::read_and_reset_distribution>& m) { self.reply(m, s->all); },
  };
}

// Of all magnitudes, each as probable as the others.
std::uint64_t any_value(dice& d) {
  const std::uint64_t bits = (std::uint64_t{d.below(1u << 31)} << 33) ^ (std::uint64_t{d.below(1u << 31)} << 15);
  return bits >> d.below(64);
}

// What a quantile says, and what it should.
void require_near(const distribution& d, std::vector<std::uint64_t> all) {
  std::sort(all.begin(), all.end());
  for (const double part : {0.0, 0.01, 0.25, 0.5, 0.9, 0.99, 0.999, 1.0}) {
    const auto rank = static_cast<std::size_t>(std::ceil(part * static_cast<double>(all.size())));
    const auto exact = static_cast<double>(all[rank == 0 ? 0 : rank - 1]);
    const auto said = static_cast<double>(d.quantile(part));
    INFO("part=" << part << " exact=" << exact << " said=" << said);
    REQUIRE(std::abs(said - exact) <= exact * distribution::relative_error);
  }
}

double difference(std::uint64_t a, std::uint64_t b) {
  return a > b ? static_cast<double>(a - b) : -static_cast<double>(b - a);
}

// Each value may be told wrong by a part of itself, and so may the median: the deviations by the sum of the two.
void require_near_in_spread(const distribution& d, const std::vector<std::uint64_t>& sorted) {
  const std::uint64_t middle = sorted[(sorted.size() - 1) / 2];
  std::vector<double> deviations;
  double sum = 0;
  for (const std::uint64_t v : sorted) {
    deviations.push_back(std::abs(difference(v, middle)));
    sum += static_cast<double>(v);
  }
  std::sort(deviations.begin(), deviations.end());
  const double deviation = deviations[(deviations.size() - 1) / 2];
  const double far = 2 * static_cast<double>(middle) + deviation;
  INFO("deviation=" << deviation << " said=" << d.median_deviation());
  REQUIRE(std::abs(static_cast<double>(d.median_deviation()) - deviation) <= 2 * far * distribution::relative_error);
  if (sorted.size() < 2) return;
  const auto n = static_cast<double>(sorted.size());
  double squares = 0;
  double greatest = 0;
  for (const std::uint64_t v : sorted) {
    const double off = static_cast<double>(v) - sum / n;
    squares += off * off;
    greatest = static_cast<double>(v);
  }
  const double exact = std::sqrt(squares / (n - 1));
  INFO("exact=" << exact << " said=" << d.standard_deviation());
  REQUIRE(std::abs(d.standard_deviation() - exact) <= 2 * greatest * distribution::relative_error);
}

}  // namespace

TEST_CASE("histogram: each value is counted once in every order, and not at all when its run fails", "[law1][law3]") {
  const bool parallel = GENERATE(false, true);
  require_whatever_fails(
      [=](tact::simulation& sim, const trouble& t) { threads_record(sim, t, parallel, settles_often); });
}

TEST_CASE("histogram: one that counts beside its behaviour is found", "[law1]") {
  require_found(
      [](tact::simulation& sim, const trouble& t) { threads_record(sim, t, true, [] { return records_aside(); }); });
}

TEST_CASE("distribution: quantiles are exact but for a 64th, least, greatest, sum and count are exact", "[law3]") {
  TACT_SEEDED(seed);
  dice d(seed);
  for (int round = 0; round < scaled(50); ++round) {
    distribution all;
    std::vector<std::uint64_t> values;
    std::uint64_t sum = 0;
    const unsigned values_count = 1 + d.below(500);
    for (unsigned i = 0; i < values_count; ++i) {
      values.push_back(any_value(d) >> 16);
      sum += values.back();
      all.record(values.back());
    }
    REQUIRE(all.count() == values.size());
    REQUIRE(all.sum() == sum);
    REQUIRE(all.min() == *std::min_element(values.begin(), values.end()));
    REQUIRE(all.max() == *std::max_element(values.begin(), values.end()));
    REQUIRE(all.mean() == Approx(static_cast<double>(sum) / static_cast<double>(values.size())));
    require_near(all, values);
  }
}

TEST_CASE("distribution: median, its deviation and the standard deviation are those of the values in their buckets",
          "[law3]") {
  TACT_SEEDED(seed);
  dice d(seed);
  for (int round = 0; round < scaled(200); ++round) {
    distribution all;
    std::vector<std::uint64_t> values;
    const unsigned values_count = 1 + d.below(300);
    const unsigned shift = d.below(56);
    for (unsigned i = 0; i < values_count; ++i) {
      values.push_back(any_value(d) >> shift);
      all.record(values.back());
    }
    std::sort(values.begin(), values.end());
    const auto exact = values[(values.size() - 1) / 2];
    REQUIRE(std::abs(difference(all.median(), exact)) <= static_cast<double>(exact) * distribution::relative_error);
    require_near_in_spread(all, values);
  }
}

TEST_CASE("distribution: a few values far away change the standard deviation, and not that of the median") {
  distribution d;
  CHECK(d.median_deviation() == 0);
  CHECK(d.standard_deviation() == 0);
  d.record(5);
  CHECK(d.standard_deviation() == 0);
  for (const std::uint64_t v : {1U, 3U, 7U, 9U}) d.record(v);
  CHECK(d.median() == 5);
  CHECK(d.median_deviation() == 2);
  CHECK(d.standard_deviation() == Approx(std::sqrt(10)));
  d.record(most);
  CHECK(d.median() == 5);
  CHECK(d.median_deviation() == 2);
  CHECK(d.standard_deviation() > 1e18);
  // As many at one end as at the other.
  distribution ends;
  ends.record(0);
  ends.record(most);
  CHECK(ends.median() == 0);
  CHECK(ends.median_deviation() == 0);
  ends.record(most);
  CHECK(ends.median() >= most - most / 64);
  CHECK(ends.median_deviation() == 0);
}

TEST_CASE("distribution: buckets tell each value once, and counts below a power of two are exact", "[law3]") {
  TACT_SEEDED(seed);
  dice d(seed);
  distribution all;
  std::vector<std::uint64_t> values{0, 1, 2, 63, 64, 65, most, most - 1};
  for (int i = 0; i < 1'000; ++i) values.push_back(any_value(d));
  for (const std::uint64_t v : values) all.record(v);
  const auto up_to = [&](std::uint64_t v) {
    return static_cast<std::uint64_t>(
        std::count_if(values.begin(), values.end(), [=](std::uint64_t x) { return x <= v; }));
  };
  const auto buckets = all.buckets();
  std::uint64_t seen = 0;
  for (const distribution::bucket& b : buckets) {
    REQUIRE(b.least <= b.greatest);
    REQUIRE(b.count != 0);
    REQUIRE(seen == (b.least == 0 ? 0 : up_to(b.least - 1)));
    seen += b.count;
    REQUIRE(seen == up_to(b.greatest));
    REQUIRE(all.count_up_to(b.least) == seen);
    REQUIRE(all.count_up_to(b.greatest) == seen);
  }
  CHECK(seen == values.size());
  for (unsigned bits = 0; bits <= 64; ++bits) {
    const std::uint64_t edge = bits == 0 ? 0 : most >> (64 - bits);
    REQUIRE(all.count_up_to(edge) == up_to(edge));
  }
  for (std::uint64_t v = 0; v < 64; ++v) REQUIRE(all.count_up_to(v) == up_to(v));
  CHECK(distribution().buckets().empty());
  CHECK(distribution().count_up_to(most) == 0);
}

TEST_CASE("distribution: the ends of the range, each bucket's ends, and none at all", "[law3]") {
  CHECK(distribution().quantile(0.5) == 0);
  CHECK(distribution().min() == 0);
  for (unsigned bits = 0; bits < 64; ++bits) {
    for (const std::uint64_t v : {(std::uint64_t{1} << bits) - 1, std::uint64_t{1} << bits, most >> bits}) {
      distribution d;
      d.record(v);
      REQUIRE(d.quantile(0.5) == v);  // between its least and its greatest
      d.record(0);
      d.record(most);
      require_near(d, {v, 0, most});
    }
  }
  distribution d;
  d.record(most);
  d.record(most);
  CHECK(d.sum() == most);
  CHECK_THROWS_AS(d.quantile(1.5), tact::usage_error);
  CHECK_THROWS_AS(d.quantile(std::numeric_limits<double>::quiet_NaN()), tact::usage_error);
}

TEST_CASE("histogram: two that are merged are one that has counted all, and it may begin anew", "[law3][law5]") {
  TACT_SEEDED(seed);
  dice d(seed);
  tact::engine engine(quiet_options(2));
  const auto a = engine.create(tact::histogram());
  const auto b = engine.create(tact::histogram());
  distribution all;
  for (int i = 0; i < 1'000; ++i) {
    const std::uint64_t v = any_value(d);
    engine.send(i % 3 == 0 ? a : b, tact::record_value{v});
    all.record(v);
  }
  engine.send(a, tact::merge_values{engine.ask(b, tact::read_and_reset_distribution{})});
  CHECK(engine.ask(a, tact::read_distribution{}) == all);
  CHECK(engine.ask(b, tact::read_distribution{}) == distribution());
}

TEST_CASE("histogram: what threads record and read_and_reset takes is the same in sum", "[law1][law3]") {
  TACT_FOR_EACH_THREAD_COUNT(workers);
  const bool parallel = GENERATE(false, true);
  tact::engine engine(quiet_options(workers));
  const auto h = parallel ? engine.create(tact::histogram(), tact::parallel) : engine.create(tact::histogram());
  std::mutex mutex;
  distribution taken;
  on_threads(4, [&](unsigned) {
    for (int n = 0; n < scaled(500); ++n) {
      engine.send(h, tact::record_value{static_cast<std::uint64_t>(n)});
      if (n % 50 != 0) continue;
      const distribution some = engine.ask(h, tact::read_and_reset_distribution{});
      const std::lock_guard lock(mutex);
      taken.merge(some);
    }
  });
  require_idle(engine);
  taken.merge(engine.ask(h, tact::read_distribution{}));
  distribution expected;
  for (int n = 0; n < 4 * scaled(500); ++n) expected.record(static_cast<std::uint64_t>(n / 4));
  CHECK(taken == expected);
}

}  // namespace histogram_test
