// loudness: measures the sound files in folders by EBU R128, in parallel.
#include <algorithm>
#include <cstddef>
#include <exception>
#include <iostream>
#include <span>
#include <vector>

#include "options.hpp"
#include "report.hpp"
#include "survey.hpp"

namespace {

constexpr int all_measured = 0;
constexpr int some_failed = 1;
constexpr int nothing_to_do = 2;  // wrong arguments too

int run(const loudness::options& asked) {
  loudness::surveyed done = loudness::survey(asked);
  std::vector<loudness::result>& results = done.results;
  if (results.empty()) {
    std::cerr << "loudness: no sound files found; see --help for what is looked for\n";
    return nothing_to_do;
  }
  loudness::sort_results(results, asked.sort);
  (asked.json ? loudness::write_json : loudness::write_table)(std::cout, results);
  std::cout.flush();
  if (!std::cout) {
    std::cerr << "loudness: the report could not be written\n";
    return some_failed;
  }
  if (asked.stats) loudness::write_stats(std::cerr, done);
  const bool all = std::all_of(results.begin(), results.end(),
                               [](const auto& r) { return r.figures.has_value() && !is_cut_short(r); });
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
  return run(asked);
} catch (const loudness::argument_error& error) {
  std::cerr << "loudness: " << error.what() << '\n';
  return nothing_to_do;
} catch (const std::exception& error) {
  std::cerr << "loudness: " << error.what() << '\n';
  return some_failed;
}
