// Messages that an engine did not handle by its end are reported, unless it was cancelled on purpose.
#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "support/captured_stderr.hpp"
#include "support/engine_fixture.hpp"

namespace leftovers_test {

namespace {

using namespace tact::support;
using Catch::Matchers::Contains;

// Messages of many types, each of which is handled for ever.
template <int Kind>
struct turn {};
template <int Kind>
struct wheel : tact::protocol<turn<Kind>> {};
template <int Kind>
tact::behavior<wheel<Kind>> open_wheel() {
  return {[](tact::self<wheel<Kind>>& self, const turn<Kind>& m) { self.send(self.ref(), m); }};
}

// So many messages for so many actors.
template <int Kind>
void turn_wheels(tact::engine& engine, int actors, int messages) {
  std::vector<tact::ref<wheel<Kind>>> wheels;
  for (int i = 0; i < actors; ++i) wheels.push_back(engine.create(open_wheel<Kind>(), tact::parallel));
  for (int i = 0; i < messages; ++i) engine.send(wheels[static_cast<std::size_t>(i % actors)], turn<Kind>{});
}
// Kinds 0 to count - 1: 2 actors and 10 more messages for each.
template <int... Kinds>
void turn_kinds(tact::engine& engine, std::integer_sequence<int, Kinds...>) {
  (turn_wheels<Kinds>(engine, 2, 10 * (Kinds + 1)), ...);
}

tact::engine_options impatient(unsigned workers) {
  auto options = quiet_options(workers);
  options.shutdown_timeout = std::chrono::milliseconds(1);
  return options;
}

// Of the report alone: the engine says before it that it is late.
std::string report_in(const std::string& text) {
  const auto at = text.find("tact: an engine dropped");
  return at == std::string::npos ? "" : text.substr(at);
}

}  // namespace

TEST_CASE("drop report: the destructor names how many messages of which types for how many actors it dropped",
          "[actor][law11]") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  const std::string text = captured_stderr([&] {
    tact::engine engine(impatient(workers));
    turn_wheels<1>(engine, 3, 7);
    turn_wheels<2>(engine, 1, 100);
  });
  const std::string report = report_in(text);
  INFO(text);
  CHECK_THAT(report, Contains("dropped 107 messages"));
  CHECK_THAT(report, Contains("\n  100 turn<2> for 1 wheel<2>\n  7 turn<1> for 3 wheel<1>\n"));
  CHECK(std::count(report.begin(), report.end(), '\n') == 3);
}

TEST_CASE("drop report: a report has ten lines at most, and says how much is not shown", "[actor]") {
  const std::string nine = report_in(captured_stderr([&] {
    tact::engine engine(impatient(2));
    turn_kinds(engine, std::make_integer_sequence<int, 9>());
  }));
  INFO(nine);
  CHECK(std::count(nine.begin(), nine.end(), '\n') == 10);
  CHECK_THAT(nine, Contains("\n  10 turn<0> for 2 wheel<0>\n") && !Contains("more of"));
  const std::string twelve = report_in(captured_stderr([&] {
    tact::engine engine(impatient(2));
    turn_kinds(engine, std::make_integer_sequence<int, 12>());
  }));
  INFO(twelve);
  CHECK(std::count(twelve.begin(), twelve.end(), '\n') == 10);
  CHECK_THAT(twelve, Contains("dropped 780 messages") && Contains("\n  120 turn<11> for 2 wheel<11>\n"));
  CHECK_THAT(twelve, Contains("\n  50 turn<4> for 2 wheel<4>\n  and 100 more of 4 other kinds\n"));
}

TEST_CASE("drop report: a handler of the user's gets them instead of stderr, and may throw", "[actor]") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  std::vector<tact::dropped_messages> dropped;
  std::vector<std::string> names;
  int calls = 0;
  auto options = impatient(workers);
  options.on_dropped = [&](const std::vector<tact::dropped_messages>& all) {
    ++calls;
    dropped = all;
    for (const auto& d : all) names.push_back(std::string(d.message) + " " + std::string(d.actor));
    throw std::runtime_error("ignored");
  };
  const std::string text = captured_stderr([&] {
    tact::engine engine(options);
    turn_wheels<1>(engine, 2, 5);
    turn_wheels<2>(engine, 3, 9);
  });
  CHECK(report_in(text).empty());
  CHECK(calls == 1);
  REQUIRE(dropped.size() == 2);
  CHECK(names == std::vector<std::string>{"turn<2> wheel<2>", "turn<1> wheel<1>"});
  CHECK((dropped[0].messages == 9 && dropped[0].actors == 3));
  CHECK((dropped[1].messages == 5 && dropped[1].actors == 2));
}

TEST_CASE("drop report: what is cancelled on purpose is counted and kept as dead letters only", "[actor]") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  auto options = impatient(workers);
  options.dead_letters_kept = 3;
  int calls = 0;
  options.on_dropped = [&](const auto&) { ++calls; };
  const std::string text = captured_stderr([&] {
    tact::engine engine(options);
    turn_wheels<1>(engine, 2, 50);
    CHECK(engine.cancel(generous));
    CHECK(engine.statistics().dead_letters == 50);
    CHECK(engine.dead_letters().size() == 3);
  });
  CHECK(text.empty());
  CHECK(calls == 0);
}

TEST_CASE("drop report: an engine that handled everything reports nothing", "[actor]") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  const std::string text = captured_stderr([&] {
    tact::engine engine(quiet_options(workers));
    const auto a = engine.create(tact::sink<turn<1>>(), tact::parallel);
    for (int i = 0; i < 100; ++i) engine.send(a, turn<1>{});
  });
  CHECK(text.empty());
}

}  // namespace leftovers_test
