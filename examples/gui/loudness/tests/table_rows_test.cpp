// The rows of the table and what is said of the work, without actors and windows; and the columns of the plot.
#include "../table_rows.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "../columns.hpp"
#include "../ledger.hpp"
#include "report.hpp"

namespace table_rows_test {

namespace {

using loudness::measured;
using loudness::result;
using loudness::row_order;
using loudness::sort_key;
using loudness::table_rows;
using names = std::vector<std::string>;

constexpr sort_key all_keys[] = {sort_key::path, sort_key::loudness, sort_key::range, sort_key::peak,
                                 sort_key::duration};

// Of few values, so that many are equal; some have no figures, or not all of them.
loudness::shared_result random_result(const std::string& path, std::mt19937& random) {
  const auto value = [&] { return -1.0 * static_cast<double>(random() % 7); };
  if (random() % 5 == 0) return std::make_shared<const result>(result{path, {}, "cannot be decoded"});
  loudness::measurement m{measured(value()), loudness::too_short(), measured(value()), 5.0 - value(), 2, 48000};
  if (random() % 2 == 0) m.range = measured(-value());
  return std::make_shared<const result>(result{path, m, {}});
}

names paths_in(const table_rows& rows) {
  names paths;
  for (std::size_t place = 0; place < rows.size(); ++place) paths.push_back(rows.at(place).path);
  return paths;
}

// As the report has it, what is not measured yet beside what could not be; turned round by hand.
names paths_by_hand(const std::vector<result>& all, row_order order) {
  std::vector<result> sorted = all;
  loudness::sort_results(sorted, order.key);
  const auto missing = std::find_if(sorted.begin(), sorted.end(),
                                    [&](const result& r) { return loudness::sort_value(r, order.key) < -1e9; });
  if (order.is_turned) {
    std::reverse(sorted.begin(), missing);
    std::reverse(missing, sorted.end());
  }
  names paths;
  for (const result& r : sorted) paths.push_back(r.path);
  return paths;
}

loudness::survey_view view_of(std::size_t files, std::size_t done, loudness::survey_phase phase) {
  loudness::survey_view view;
  view.phase = phase;
  view.analysts = 2;
  view.sum.files = files;
  view.sum.files_done = done;
  view.sum.bytes = 100 * files;
  view.sum.bytes_done = 100 * done;
  view.sum.took = std::chrono::seconds(5 * done);
  return view;
}

}  // namespace

TEST_CASE("table rows: are in order while results come, by every key and turned round", "[gui]") {
  for (const sort_key key : all_keys) {
    for (const bool is_turned : {false, true}) {
      CAPTURE(static_cast<int>(key), is_turned);
      std::mt19937 random(7);
      const row_order order{key, is_turned};
      table_rows rows = table_rows().sorted_by(order);
      std::vector<result> by_hand;
      for (int i = 0; i < 60; ++i) {
        const std::string path = "/folder/" + std::to_string(random() % 1000);
        if (!rows.place_of(path)) by_hand.push_back({path, {}, {}});
        rows = rows.with_file(path);
      }
      std::shuffle(by_hand.begin(), by_hand.end(), random);
      for (result& r : by_hand) {
        const auto measured = random_result(r.path, random);
        r = *measured;
        rows = rows.with_result(measured);
        REQUIRE(paths_in(rows) == paths_by_hand(by_hand, order));
      }
      for (const sort_key other : all_keys) {
        REQUIRE(paths_in(rows.sorted_by({other, !is_turned})) == paths_by_hand(by_hand, {other, !is_turned}));
      }
    }
  }
}

TEST_CASE("table rows: the place of a file is found wherever it has gone", "[gui]") {
  std::mt19937 random(3);
  table_rows rows;
  for (int i = 0; i < 100; ++i) rows = rows.with_file(std::to_string(i));
  for (const sort_key key : all_keys) {
    rows = rows.sorted_by({key, random() % 2 == 0});
    for (int i = 0; i < 20; ++i) rows = rows.with_result(random_result(std::to_string(random() % 100), random));
    for (std::size_t place = 0; place < rows.size(); ++place) REQUIRE(rows.place_of(rows.at(place).path) == place);
  }
  CHECK_FALSE(rows.place_of("elsewhere"));
}

TEST_CASE("table rows: a change leaves the rows as they were for who shows them", "[gui]") {
  std::mt19937 random(3);
  const table_rows before = table_rows().with_file("a").with_file("b").sorted_by({sort_key::loudness});
  const table_rows behind = before.with_result(random_result("b", random)).with_file("c");
  CHECK(paths_in(before) == names{"a", "b"});
  CHECK(before.results().empty());
  CHECK(behind.size() == 3);
  CHECK(behind.results().size() == 1);
}

TEST_CASE("survey: says how far it is, and how long it takes", "[gui]") {
  using loudness::progress_text;
  using loudness::survey_phase;
  CHECK(progress_text(view_of(40, 12, survey_phase::running)) == "12 of 40 files, about 70 s left");
  CHECK(progress_text(view_of(40, 0, survey_phase::running)) == "0 of 40 files");
  CHECK(progress_text(view_of(40, 12, survey_phase::paused)) == "paused: 12 of 40 files");
  CHECK(progress_text(view_of(40, 12, survey_phase::cancelled)) == "cancelled: 12 of 40 files");
  CHECK(progress_text(view_of(40, 40, survey_phase::paused)) == "done: 40 of 40 files");
  CHECK(progress_text(view_of(0, 0, survey_phase::running)) == "no sound files found");
  auto view = view_of(40, 12, survey_phase::running);
  view.sum.files_failed = 2;
  view.sum.folders_left = 1;
  CHECK(progress_text(view) == "searching: 12 of 40 files, 2 not measured");
}

TEST_CASE("columns: a single value that stands out is seen, wherever it is", "[gui]") {
  for (std::size_t peak = 0; peak < 36'000; peak += 977) {
    std::vector<float> values(36'000, -30.0F);
    values[peak] = -1.0F;
    const auto columns = loudness::columns_of(values, values.size(), 800);
    REQUIRE(columns.size() == 800);
    const auto seen = std::count_if(columns.begin(), columns.end(), [](const auto& c) { return c.highest == -1.0F; });
    REQUIRE(seen == 1);
    REQUIRE(columns[peak * 800 / 36'000].lowest == -30.0F);
  }
}

TEST_CASE("columns: a few values have a column each, and those that are not there yet have none", "[gui]") {
  const std::vector<float> values{1, 2, 3};
  const auto columns = loudness::columns_of(values, 10, 800);
  REQUIRE(columns.size() == 3);
  for (std::size_t i = 0; i < 3; ++i) CHECK(columns[i].highest == values[i]);
  CHECK(loudness::columns_of({}, 10, 800).empty());
  CHECK(loudness::columns_of(values, 3, 0).empty());
}

}  // namespace table_rows_test
