// The figures of an engine, and how they print.
#include <array>
#include <bit>
#include <sstream>

#include "support/engine_fixture.hpp"

namespace statistics_test {

namespace {

using Catch::Matchers::Contains;

struct note {};
struct go {};

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
  for (const char* row : {"workers",       "shards",          "actors created",  "actors alive",      "messages sent",
                          "in flight",     "commits",         "failures",        "dead letters",      "waiting",
                          "stacks",        "collisions",      "aborts",          "forwarded",         "gulps",
                          "average gulp",  "missed gulps",    "steal attempts",  "without candidate", "failed swaps",
                          "shards stolen", "messages stolen", "average steal",   "adoptions",         "searchers",
                          "parks",         "wakes",           "KiB held",        "allocations",       "average chunk",
                          "chunks held",   "pinned",          "shards returned", "memory nodes",      "outside asks"}) {
    CHECK_THAT(text, Contains(row));
  }
  CHECK_THAT(text, Contains("1234567") && Contains("67\n") && Contains("2.5\n"));
  CHECK_THAT(text, Catch::Matchers::EndsWith("0.123456789"));  // the stream is left as it was
  std::istringstream lines(text);
  std::string first, line;
  std::getline(lines, first);
  while (std::getline(lines, line) && line.find("0.1234") == std::string::npos) CHECK(line.size() == first.size());
}

TEST_CASE("statistics: of workers print as a table with a row for each, and a column for what was counted", "[actor]") {
  std::vector<tact::worker_statistics> workers(3);
  workers[1].messages_sent = 12'345'678'901'234;
  workers[2].gulps = 2;
  workers[2].gulped = 5;
  workers[0].shards_stolen = 4;
  workers[0].messages_stolen = 6;
  workers[0].published = 9;
  workers[0].chunks_published = 2;
  std::ostringstream out;
  out << workers;
  INFO(out.str());
  std::istringstream lines(out.str());
  std::vector<std::string> rows;
  for (std::string line; std::getline(lines, line);) rows.push_back(line);
  REQUIRE(rows.size() == 2 + workers.size());
  for (const std::string& row : rows) CHECK(row.size() == rows.front().size());
  CHECK_THAT(rows[0], Contains("messages") && Contains("average"));
  CHECK_THAT(rows[1], Contains("worker") && Contains("gulp") && Contains("stolen") && Contains("chunk"));
  CHECK_THAT(out.str(), !Contains("collisions"));
  CHECK_THAT(rows[2], Contains("     0  ") && Contains("1.5"));
  CHECK_THAT(rows[3], Contains("12345678901234"));
  CHECK_THAT(rows[4], Contains("2.5"));
}

TEST_CASE("statistics: adding up adds every counter", "[actor]") {
  constexpr std::size_t counters = sizeof(tact::worker_statistics) / sizeof(std::uint64_t);
  std::array<std::uint64_t, counters> numbers;
  for (std::size_t i = 0; i < counters; ++i) numbers[i] = i + 1;
  const auto one = std::bit_cast<tact::worker_statistics>(numbers);
  tact::worker_statistics sum = one;
  sum += one;
  sum += one;
  const auto sums = std::bit_cast<std::array<std::uint64_t, counters>>(sum);
  for (std::size_t i = 0; i < counters; ++i) CHECK(sums[i] == 3 * (i + 1));
}

TEST_CASE("statistics: of all workers and of threads outside add up to those of the engine", "[actor]") {
  TACT_FOR_EACH_THREAD_COUNT(workers);
  tact::engine engine(tact::support::quiet_options(workers));
  std::vector<tact::ref<note>> sinks;
  for (int i = 0; i < 50; ++i) sinks.push_back(engine.create(tact::sink<note>()));
  const auto fan = engine.create(tact::behavior<go>{[&](tact::self<go>& self, const go&) {
                                   for (const auto s : sinks) self.send(s, note{});
                                   self.send(self.create(tact::sink<note>(), tact::parallel), note{});
                                 }},
                                 tact::parallel);
  constexpr std::uint64_t rounds = 20;
  for (std::uint64_t i = 0; i < rounds; ++i) engine.send(fan, go{});
  tact::support::require_idle(engine);
  const auto sum = engine.statistics();
  const auto each = engine.worker_statistics();
  REQUIRE(each.size() == workers);
  tact::worker_statistics added;
  for (const auto& w : each) added += w;
  CHECK(added.commits == sum.commits);
  CHECK(added.commits == rounds * 52);
  CHECK(added.messages_sent == rounds * 51);
  CHECK(sum.messages_sent == added.messages_sent + rounds);
  CHECK(added.actors_created == rounds);
  CHECK(sum.actors_created == added.actors_created + 51);
  CHECK(added.gulps >= sum.gulps);  // a gulp brings nothing when what was announced has gone to another worker
  CHECK(sum.gulps >= 1);
  CHECK(added.steal_attempts >= added.steals_without_candidate + added.steals_failed + added.shards_stolen);
  CHECK(sum.searchers <= workers);
}

TEST_CASE("statistics: an idle engine has no message in any of its shards", "[actor]") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  auto options = tact::support::quiet_options(workers);
  options.heavy_shards = 3;
  options.blocking_max = 2;
  tact::engine engine(options);
  const std::array to{engine.create(tact::sink<note>(), tact::parallel), engine.create(tact::sink<note>()),
                      engine.create(tact::sink<note>(), tact::heavy),
                      engine.create(tact::sink<note>(), tact::blocking)};
  for (std::size_t i = 0; i < 1'000; ++i) engine.send(to[i % to.size()], note{});
  tact::support::require_idle(engine);
  const auto depths = engine.shard_depths();
  CHECK(depths.size() == engine.statistics().shards + 3 + 2);
  for (const std::uint64_t d : depths) CHECK(d == 0);
}

TEST_CASE("statistics: an engine counts what it did", "[actor]") {
  tact::engine engine(tact::support::quiet_options(2));
  const auto a = engine.create(tact::sink<note>(), tact::parallel);
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

TEST_CASE("statistics: what is sent to shards of others is counted, and in how many chunks it lay", "[actor]") {
  constexpr std::uint64_t sent = 300;  // of which 127 fit into a chunk
  tact::engine engine(tact::support::quiet_options(1));
  const auto to = engine.create(tact::sink<note>(), tact::parallel);
  const auto from = engine.create(tact::behavior<go>{[=](auto& self, const go&) {
                                    for (std::uint64_t i = 0; i < sent; ++i) self.send(to, note{});
                                  }},
                                  tact::blocking);
  engine.send(from, go{});
  tact::support::require_idle(engine);
  const auto s = engine.statistics();
  CHECK(s.published == sent);
  CHECK(s.chunks_published == 3);
  CHECK(s.average_chunk() == 100.0);
  CHECK(s.chunks_held >= 3);
  CHECK(engine.worker_statistics().front().published == 0);
}

}  // namespace statistics_test
