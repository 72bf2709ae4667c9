// What is told of a program that ran in a model.
#include <atomic>
#include <cmath>
#include <cstdlib>
#include <string>

#include "modelled/json.hpp"
#include "modelled/programs.hpp"

namespace report_test {

namespace {

using namespace tact::modelled_tests;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

// Two counters in one line, or each in its own.
struct alignas(128) counters {
  std::atomic<long> first{0};
  std::atomic<long> beside_it{0};
  alignas(64) std::atomic<long> apart{0};
};

[[gnu::noinline]] void count_up(std::atomic<long>& counter) {
  for (int i = 0; i < 50'000; ++i) counter.fetch_add(1);
}

tact::model_result two_counters(bool share) {
  return tact::model::run({.machine = "l3:1 core:2 pu:1"}, [&] {
    counters all;
    meeting both(2);
    on_threads(2, [&](unsigned i) {
      both.join();
      count_up(i == 0 ? all.first : share ? all.beside_it : all.apart);
    });
  });
}

double waited_ns(const tact::model_result& r) {
  double sum = 0;
  for (const tact::model_transfers& t : r.transfers) sum += t.waited_ns;
  return sum;
}

}  // namespace

TEST_CASE("model: counters that share a line cost much more than counters that do not", "[modelled]") {
  const auto shared = two_counters(true), apart = two_counters(false);
  CHECK(waited_ns(shared) > 10 * waited_ns(apart));
  CHECK(shared.seconds > 1.5 * apart.seconds);
}

TEST_CASE("model: the line on which most time is waited comes first, with its function and its writers", "[modelled]") {
  const auto r = two_counters(true);
  REQUIRE(!r.lines.empty());
  CHECK_THAT(r.lines[0].name, StartsWith("count_up (report_test.cpp:"));
  CHECK(r.lines[0].writers == 2);
  CHECK(r.lines[0].transfers > 1'000);
  CHECK(r.lines[0].waited_ns > waited_ns(r) / 2);
  for (std::size_t i = 1; i < r.lines.size(); ++i) CHECK(r.lines[i].waited_ns <= r.lines[i - 1].waited_ns);
  REQUIRE(!r.places.empty());
  CHECK_THAT(r.places[0].name, StartsWith("count_up (report_test.cpp:"));
  CHECK(r.places[0].writers == 0);
}

TEST_CASE("model: where nothing tells lines of the source, a report names functions or addresses", "[modelled]") {
  const std::string path = std::getenv("PATH");
  ::setenv("PATH", "", 1);
  const auto r = two_counters(true);
  ::setenv("PATH", path.c_str(), 1);
  REQUIRE(!r.lines.empty());
  CHECK(!r.lines[0].name.empty());
  CHECK(r.lines[0].writers == 2);
}

TEST_CASE("model: a result as JSON has all that the result has", "[modelled]") {
  const auto r = two_counters(true);
  const json parsed(r.json());
  CHECK(parsed.number("seconds") == Approx(r.seconds));
  CHECK(parsed.number("busy_seconds") == Approx(r.busy_seconds));
  CHECK(parsed.number("threads") == 3);
  CHECK(parsed.number("accesses") == static_cast<double>(r.accesses));
  CHECK(parsed.number("transfers") == 7);
  for (const tact::model_transfers& t : r.transfers) {
    const std::string way = "transfers." + std::string(t.from);
    CHECK(parsed.number(way + ".lines") == static_cast<double>(t.lines));
    CHECK(std::abs(parsed.number(way + ".waited_ns") - t.waited_ns) < 0.1);
  }
  REQUIRE(parsed.number("lines") == static_cast<double>(r.lines.size()));
  CHECK(parsed.text("lines.0.name") == r.lines[0].name);
  CHECK(parsed.number("lines.0.writers") == 2);
  CHECK(parsed.number("places") == static_cast<double>(r.places.size()));
  CHECK(parsed.text("places.0.name") == r.places[0].name);
}

TEST_CASE("model: names in JSON are quoted", "[modelled]") {
  tact::model_result r;
  r.lines.push_back({R"(operator""_x \ (a.cpp:1))", 1, 2.5, 3});
  const json parsed(r.json());
  CHECK(parsed.text("lines.0.name") == R"(operator""_x \ (a.cpp:1))");
  CHECK(parsed.number("lines.0.waited_ns") == 2.5);
}

TEST_CASE("model: a result as text tells time, messages, ways, lines and places", "[modelled]") {
  const auto r = two_counters(true);
  const std::string text = r.text();
  for (const char* const part : {" s, ", "threads busy", "messages", "accesses", "same_l3", "other_memory",
                                 "lines of memory", "places in the source", "count_up (report_test.cpp:"})
    CHECK_THAT(text, Contains(part));
  CHECK_THAT(tact::model_result{}.text(), Contains("0.000000 s, 0.0 threads busy"));
}

}  // namespace report_test
