// loudness: measures the sound files in folders by EBU R128, in parallel.
#include <algorithm>
#include <cstddef>
#include <exception>
#include <iostream>
#include <span>
#include <stdexcept>
#include <vector>

#include "browse.hpp"
#include "options.hpp"
#include "ratio_histogram.hpp"
#include "report.hpp"
#include "survey.hpp"

namespace {

constexpr int all_measured = 0;
constexpr int some_failed = 1;
constexpr int nothing_to_do = 2;  // wrong arguments too

void require_written() {
  std::cout.flush();
  if (!std::cout) throw std::runtime_error("the report could not be written");
}

void write_report(const loudness::options& asked, const std::vector<loudness::result>& results) {
  if (asked.histogram) {
    loudness::write_histogram(std::cout, loudness::histogram_of(results), asked.json);
  } else {
    (asked.json ? loudness::write_json : loudness::write_table)(std::cout, results);
  }
  require_written();
}

int run(const loudness::options& asked) {
  loudness::surveyed done = loudness::survey(asked);
  std::vector<loudness::result>& results = done.results;
  if (done.forgotten) std::cerr << "loudness: " << loudness::count_of(*done.forgotten, "file") << " forgotten\n";
  if (asked.roots.empty()) return all_measured;
  if (results.empty()) {
    std::cerr << "loudness: no sound files found; see --help for what is looked for\n";
    return nothing_to_do;
  }
  loudness::sort_results(results, asked.sort);
  write_report(asked, results);
  if (asked.stats) loudness::write_stats(std::cerr, done);
  const bool all = std::all_of(results.begin(), results.end(), [](const auto& r) {
    return r.figures.has_value() && !is_cut_short(r) && r.not_kept.empty();
  });
  return all ? all_measured : some_failed;
}

}  // namespace

int main(int argc, char** argv) try {
  const std::span<const char* const> arguments(argv, static_cast<std::size_t>(argc));
  const loudness::options asked = loudness::parse_options(arguments.subspan(argc > 0 ? 1 : 0));
  if (asked.help) {
    std::cout << loudness::help_text();
    return all_measured;
  }
  if (asked.browsed.empty()) return run(asked);
  loudness::browse(std::cout, asked);
  require_written();
  return all_measured;
} catch (const loudness::argument_error& error) {
  std::cerr << "loudness: " << error.what() << '\n';
  return nothing_to_do;
} catch (const std::exception& error) {
  std::cerr << "loudness: " << error.what() << '\n';
  return some_failed;
}
