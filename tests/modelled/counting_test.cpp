// What is counted of a program in a model, and what is not.
#include "modelled/nap.hpp"
#include "modelled/programs.hpp"

namespace counting_test {

namespace {

using namespace tact::modelled_tests;
using namespace std::chrono_literals;

std::uint64_t lines(const tact::model_result& r) {
  std::uint64_t sum = 0;
  for (const tact::model_transfers& t : r.transfers) sum += t.lines;
  return sum;
}

}  // namespace

TEST_CASE("model: a result tells of what happens between the begin and the end of counting", "[modelled]") {
  const auto program = [](bool begins, bool ends) {
    return [=] {
      std::vector<long> numbers(10'000, 1);
      tact::model::spend_ns(1e6);
      if (begins) tact::model::begin_counting();
      tact::model::spend_ns(2e6);
      nap(1us);
      if (ends) tact::model::end_counting();
      tact::model::spend_ns(4e6);
      nap(1us);
    };
  };
  const auto all = tact::model::run(free_options(), program(false, false));
  CHECK(all.seconds == Approx(7.002e-3));
  CHECK(all.busy_seconds == Approx(7e-3));
  CHECK(all.sleeps == 2);
  CHECK(lines(all) > 1'000);
  const auto rest = tact::model::run(free_options(), program(true, false));
  CHECK(rest.seconds == Approx(6.002e-3));
  CHECK(rest.busy_seconds == Approx(6e-3));
  const auto part = tact::model::run(free_options(), program(true, true));
  CHECK(part.seconds == Approx(2.001e-3));
  CHECK(part.busy_seconds == Approx(2e-3));
  CHECK(part.sleeps == 1);
  CHECK(lines(part) < 100);
  CHECK(part.accesses < 100);
  CHECK(part.pages_touched >= 19);  // those of the numbers, from before the begin
  const auto beginning = tact::model::run(free_options(), program(false, true));
  CHECK(beginning.seconds == Approx(3.001e-3));
}

TEST_CASE("model: counting begins anew with each begin, and ends with the first end", "[modelled]") {
  const auto r = tact::model::run(free_options(), [] {
    for (const double ns : {1e3, 2e3}) {
      tact::model::begin_counting();
      tact::model::spend_ns(ns);
      tact::model::end_counting();
      tact::model::spend_ns(10e3);
      tact::model::end_counting();
    }
  });
  CHECK(r.seconds == Approx(2e-6));
}

}  // namespace counting_test
