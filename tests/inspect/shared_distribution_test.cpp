// tact::inspect::shared_distribution: what one thread records others read, whole.
#include "tact/inspect/shared_distribution.hpp"

#include <algorithm>
#include <thread>

#include "support/dice.hpp"
#include "support/engine_fixture.hpp"
#include "support/seed.hpp"

namespace inspect_shared_distribution_test {

using namespace tact::support;
using tact::distribution;
using tact::inspect::shared_distribution;

TEST_CASE("shared_distribution: what is read of it is a distribution of the same values", "[law3]") {
  TACT_SEEDED(seed);
  dice d(seed);
  const auto shared = std::make_unique<shared_distribution>();
  distribution own;
  CHECK(shared->read() == own);
  constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  std::vector<std::uint64_t> values{0, most, most};
  for (int i = 0; i < 1'000; ++i) values.push_back((std::uint64_t{d.below(1U << 31)} << 33) >> d.below(64));
  for (const std::uint64_t v : values) {
    shared->record(v);
    own.record(v);
  }
  CHECK(shared->read() == own);
}

TEST_CASE("shared_distribution: a reader finds each value's sum, least and greatest with its count", "[law3]") {
  shared_distribution shared;
  const std::uint64_t count = static_cast<std::uint64_t>(scaled(200'000));
  // Each value is greater than those before, and then each is less.
  const auto value = [=](std::uint64_t n) { return n % 2 == 0 ? count + n : count - n; };
  std::thread writer([&] {
    for (std::uint64_t n = 0; n < count; ++n) shared.record(value(n));
  });
  bool is_whole = true;
  bool grows = true;
  std::uint64_t last = 0;
  while (last != count) {
    const distribution d = shared.read();
    const std::uint64_t n = d.count();
    grows = grows && n >= last;
    last = n;
    if (n == 0) continue;
    std::uint64_t least = 0;
    for (const distribution::bucket& b : d.buckets()) least += b.least * b.count;
    is_whole = is_whole && d.sum() >= least && d.min() <= d.buckets().front().greatest &&
               d.max() >= d.buckets().back().least && d.quantile(0) >= d.min() && d.quantile(1) <= d.max();
  }
  writer.join();
  CHECK(is_whole);
  CHECK(grows);
  distribution all;
  for (std::uint64_t n = 0; n < count; ++n) all.record(value(n));
  CHECK(shared.read() == all);
}

}  // namespace inspect_shared_distribution_test
