// How many modelled threads were busy, and when.
#include "tools/modelled/timeline.hpp"

#include "support/catch.hpp"

namespace timeline_test {

namespace {

using tact::modelled::timeline;

constexpr tact::modelled::picoseconds us = 1'000'000;

}  // namespace

TEST_CASE("timeline: tells how many threads were busy in each piece of time", "[modelled]") {
  timeline line;
  line.add(0, 20 * us);
  line.add(5 * us, 10 * us);
  line.add(15 * us, 15 * us);
  line.add(35 * us, 40 * us);
  CHECK(line.length() == 10 * us);
  CHECK(line.threads() == std::vector<double>{1.5, 1, 0, 0.5});
}

TEST_CASE("timeline: what was before its beginning is forgotten", "[modelled]") {
  timeline line;
  line.add(0, 20 * us);
  line.begin(30 * us);
  CHECK(line.threads().empty());
  line.add(25 * us, 50 * us);
  line.add(10 * us, 20 * us);
  CHECK(line.threads() == std::vector<double>{1, 1});
}

TEST_CASE("timeline: what comes behind its end is not counted, until it begins anew", "[modelled]") {
  timeline line;
  line.add(0, 20 * us);
  line.end();
  line.add(20 * us, 30 * us);
  CHECK(line.threads() == std::vector<double>{1, 1});
  line.begin(30 * us);
  line.add(30 * us, 40 * us);
  CHECK(line.threads() == std::vector<double>{1});
}

TEST_CASE("timeline: its pieces become longer when they are too many, and keep their sum", "[modelled]") {
  timeline line;
  double sum = 0;
  for (tact::modelled::picoseconds at = 0; at < 10'000 * us; at += 100 * us) {
    line.add(at, at + 25 * us);
    sum += 25;
  }
  const std::vector<double> threads = line.threads();
  CHECK(threads.size() <= timeline::pieces_max);
  double busy = 0;
  for (const double t : threads) busy += t * static_cast<double>(line.length() / us);
  CHECK(busy == Approx(sum));
}

}  // namespace timeline_test
