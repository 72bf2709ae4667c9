// The order, the table and the JSON.
#include "report.hpp"

#include <sstream>
#include <string>
#include <vector>

#include "support/catch.hpp"
#include "text.hpp"

namespace report_test {

namespace {

using loudness::measured;
using loudness::result;
using loudness::sort_key;
using loudness::tests::contains;

result made(std::string path, loudness::figure integrated, loudness::figure range, loudness::figure peak) {
  return {std::move(path), loudness::measurement{integrated, range, peak, 61.25, 2, 48000, {}}, {}};
}

std::vector<result> some_results() {
  return {
      {"e-broken", std::nullopt, "cannot be decoded"},
      made("d-short", loudness::too_short(), loudness::too_short(), measured(-1.0)),
      made("c", measured(-20.0), measured(3.0), measured(-9.0)),
      made("b", measured(-30.0), measured(12.0), measured(-5.0)),
      made("a", measured(-20.0), measured(4.0), measured(0.5)),
  };
}

std::vector<std::string> paths_by(sort_key key) {
  std::vector<result> results = some_results();
  loudness::sort_results(results, key);
  std::vector<std::string> paths;
  for (const result& r : results) paths.push_back(r.path);
  return paths;
}

template <class Writer>
std::string written(Writer write, const std::vector<result>& results) {
  std::ostringstream out;
  write(out, results);
  return out.str();
}

}  // namespace

TEST_CASE("report: the highest comes first, equals by path, what has no figure last", "[loudness]") {
  using names = std::vector<std::string>;
  REQUIRE(paths_by(sort_key::path) == names{"a", "b", "c", "d-short", "e-broken"});
  REQUIRE(paths_by(sort_key::loudness) == names{"a", "c", "b", "d-short", "e-broken"});
  REQUIRE(paths_by(sort_key::range) == names{"b", "a", "c", "d-short", "e-broken"});
  REQUIRE(paths_by(sort_key::duration) == names{"a", "b", "c", "d-short", "e-broken"});
  REQUIRE(paths_by(sort_key::peak) == names{"a", "d-short", "b", "c", "e-broken"});
  REQUIRE(paths_by(sort_key::ratio) == names{"b", "a", "c", "d-short", "e-broken"});
}

TEST_CASE("report: the table has a row for each measured file and a reason for each other one", "[loudness]") {
  const std::string table = written(loudness::write_table, some_results());
  REQUIRE(contains(table, "     -30.0      12.0      -5.0      25.0    1:01.3  b\n"));
  REQUIRE(contains(table, " too short too short      -1.0 too short    1:01.3  d-short\n"));
  REQUIRE(contains(table, "not measured: e-broken: cannot be decoded\n"));
  REQUIRE(table.ends_with("4 files measured, 4:05.0; 1 not measured\n"));
}

TEST_CASE("report: what is cut short has its figures, a row that says so, and counts", "[loudness]") {
  std::vector<result> results = some_results();
  results[2].figures->cut_short = "header says 3:10.0, file has 1:01.3";
  const std::string table = written(loudness::write_table, results);
  REQUIRE(contains(table, "     -20.0       3.0      -9.0      11.0    1:01.3  c\n"));
  REQUIRE(contains(table, "cut short: c: header says 3:10.0, file has 1:01.3\n"));
  REQUIRE(table.ends_with("4 files measured, 4:05.0; 1 cut short; 1 not measured\n"));
  REQUIRE(contains(written(loudness::write_json, results), R"("cut_short": "header says 3:10.0, file has 1:01.3"})"));
}

TEST_CASE("report: what was known counts apart, and what was not kept says why", "[loudness]") {
  std::vector<result> results = some_results();
  results[2].was_known = true;
  results[3].not_kept = "the disk is full";
  const std::string table = written(loudness::write_table, results);
  REQUIRE(contains(table, "not kept: b: the disk is full\n"));
  REQUIRE(table.ends_with("3 files measured, 1 known, 4:05.0; 1 not measured\n"));
  const std::string json = written(loudness::write_json, results);
  REQUIRE(contains(json, R"("rate_hz": 48000, "known": true})"));
  REQUIRE(contains(json, R"("rate_hz": 48000, "not_kept": "the disk is full"})"));
}

TEST_CASE("report: nothing rounds to minus zero", "[loudness]") {
  const auto table = written(loudness::write_table, {made("z", measured(-0.04), measured(0.0), measured(-0.049))});
  REQUIRE(table.find("-0.0") == std::string::npos);
}

TEST_CASE("report: long sounds are shown in hours", "[loudness]") {
  REQUIRE(loudness::duration_text(0.04) == "0:00.0");
  REQUIRE(loudness::duration_text(59.96) == "1:00.0");
  REQUIRE(loudness::duration_text(3723.4) == "1:02:03.4");
}

TEST_CASE("report: a file name cannot move the cursor of a terminal", "[loudness]") {
  REQUIRE(loudness::printable("a\x1b[2Jb\n\xc3\xa4") == "a?[2Jb?\xc3\xa4");
}

TEST_CASE("report: a missing figure is null in JSON with the reason beside it", "[loudness]") {
  const std::string json = written(loudness::write_json, some_results());
  REQUIRE(contains(json, R"("integrated_lufs": null, "integrated_missing": "too short")"));
  REQUIRE(contains(json, R"({"path": "e-broken", "failure": "cannot be decoded"})"));
}

TEST_CASE("report: JSON strings are escaped, and UTF-8 whatever the file name is", "[loudness]") {
  const std::string replacement = "\xef\xbf\xbd";
  const std::vector<std::pair<std::string, std::string>> cases{
      {"a\"b\\c", R"(a\"b\\c)"},
      {"tab\there", R"(tab\u0009here)"},
      {"\xc3\xa4\xe2\x82\xac\xf0\x9f\x8e\xb5", "\xc3\xa4\xe2\x82\xac\xf0\x9f\x8e\xb5"},
      {"\xe4.wav", replacement + ".wav"},                                           // Latin-1
      {"cut\xe2\x82", "cut" + replacement + replacement},                           // the end is missing
      {"\xc0\xaf", replacement + replacement},                                      // overlong
      {"\xed\xa0\x80", replacement + replacement + replacement},                    // a surrogate
      {"\xf4\x90\x80\x80", replacement + replacement + replacement + replacement},  // beyond U+10FFFF
  };
  for (const auto& [name, expected] : cases) {
    const std::string json = written(loudness::write_json, {{name, std::nullopt, "x"}});
    REQUIRE(contains(json, "{\"path\": \"" + expected + "\", "));
  }
}

}  // namespace report_test
