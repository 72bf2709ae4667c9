// The figures of an engine, and how they print.
#include <sstream>

#include "support/engine_fixture.hpp"

namespace {

using Catch::Matchers::Contains;

struct note {};

}  // namespace

TEST_CASE("statistics: print as a table with a row for each figure", "[actor]") {
  tact::statistics s;
  s.workers = 3;
  s.messages_sent = 1'234'567;
  s.commits = 1'234'500;
  s.gulps = 2;
  s.gulped = 5;
  std::ostringstream out;
  out.precision(9);
  out << s << 0.123456789;
  const std::string text = out.str();
  for (const char* row : {"workers", "shards", "actors created", "actors alive", "messages sent", "in flight",
                          "commits", "failures", "dead letters", "collisions", "aborts", "forwarded", "gulps",
                          "average gulp", "missed gulps", "parks", "wakes", "KiB held", "allocations"}) {
    CHECK_THAT(text, Contains(row));
  }
  CHECK_THAT(text, Contains("1234567") && Contains("67\n") && Contains("2.5\n"));
  CHECK_THAT(text, Catch::Matchers::EndsWith("0.123456789"));  // the stream is left as it was
  std::istringstream lines(text);
  std::string first, line;
  std::getline(lines, first);
  while (std::getline(lines, line) && line.find("0.1234") == std::string::npos) CHECK(line.size() == first.size());
}

TEST_CASE("statistics: an engine counts what it did", "[actor]") {
  tact::engine engine(tact::support::quiet_options(2));
  const auto a = engine.create(tact::sink<note>());
  for (int i = 0; i < 100; ++i) engine.send(a, note{});
  engine.wait_idle();
  const auto s = engine.statistics();
  CHECK(s.workers == 2);
  CHECK(s.messages_sent == 100);
  CHECK(s.commits == 100);
  CHECK(s.actors_created == 1);
  CHECK(s.actors_alive == 1);
  CHECK(s.gulps >= 1);
  CHECK(s.gulped >= 1);
  CHECK(s.bytes_held > 0);
  CHECK(tact::statistics{}.average_gulp() == 0.0);
}
