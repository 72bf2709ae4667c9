// How many files have which peak-to-loudness ratio.
#include "ratio_histogram.hpp"

#include <sstream>
#include <string>
#include <vector>

#include "support/catch.hpp"
#include "text.hpp"

namespace ratio_histogram_test {

namespace {

using loudness::measured;
using loudness::result;
using loudness::tests::contains;

result with_ratio(double ratio) {
  return {"a", loudness::measurement{measured(-20.0), measured(3.0), measured(-20.0 + ratio), 61.25, 2, 48000, {}}, {}};
}

std::vector<result> some() {
  std::vector<result> all;
  for (const double ratio : {12.5, 9.0, 9.75, -1.5, 12.25}) all.push_back(with_ratio(ratio));
  all.push_back({"broken", std::nullopt, "cannot be decoded"});
  all.push_back(with_ratio(0.0));
  all.back().figures->integrated = loudness::silent();
  return all;
}

std::string written(const std::vector<result>& results, bool as_json) {
  std::ostringstream out;
  loudness::write_histogram(out, loudness::histogram_of(results), as_json);
  return out.str();
}

}  // namespace

TEST_CASE("histogram: each file is in the bin of its ratio, and what has none is counted beside", "[loudness]") {
  const loudness::ratio_histogram made = loudness::histogram_of(some());
  CHECK(made.first == -2);
  CHECK(made.counts == std::vector<std::size_t>{1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 2});
  CHECK(made.files == 5);
  CHECK(made.without == 2);
  CHECK(made.median == Approx(9.75));
}

TEST_CASE("histogram: people see bars, programs numbers", "[loudness]") {
  const std::string text = written(some(), false);
  CHECK(contains(text, "\n  -2 to  -1       1  #\n  -1 to   0       0\n"));
  CHECK(contains(text, "\n  12 to  13       2  ##\n5 files, median 9.8; 2 without\n"));
  const std::string json = written(some(), true);
  CHECK(contains(json, R"({"unit": "LU", "files": 5, "without": 2, "median": 9.75, "bins": [{"from": -2, "to": -1, )"));
  CHECK(json.ends_with("{\"from\": 12, \"to\": 13, \"files\": 2}]}\n"));
}

TEST_CASE("histogram: the longest bar has fifty marks, and no file is without one", "[loudness]") {
  std::vector<result> all(1000, with_ratio(10.5));
  all.push_back(with_ratio(11.5));
  const std::string text = written(all, false);
  CHECK(contains(text, "  1000  " + std::string(50, '#') + "\n"));
  CHECK(contains(text, "  11 to  12       1  #\n"));
}

TEST_CASE("histogram: without files it says so", "[loudness]") {
  CHECK(written({}, false) == "peak-to-loudness ratio, LU\nno file has one\n");
  CHECK(contains(written({}, true), R"("median": null, "bins": [])"));
}

}  // namespace ratio_histogram_test
