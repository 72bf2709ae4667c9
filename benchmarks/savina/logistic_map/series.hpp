// What the runtimes of the logistic map share: the series, and where they get to.
#pragma once

#include <cmath>
#include <vector>

#include "programs/program.hpp"
#include "savina/parameters.hpp"

namespace bench {

constexpr double logistic_rate(std::uint64_t series) { return 3.46 + static_cast<double>(series) * 0.0025; }
constexpr double next_term(double rate, double x) { return rate * x * (1 - x); }

// How far one series has come.
struct logistic_record {
  std::uint64_t terms = 0;
  double last = 0;
};

struct logistic_setting {
  explicit logistic_setting(savina_parameters& p)
      : terms(p.number("terms", {25'000, 25'000, 50}, "terms of each series")),
        series(p.number("series", {10, 10, 3}, "series")) {
    p.of().require(series <= 40,
                   "--series is at most 40: of more some are chaotic, and depend on how each term is rounded");
  }
  [[nodiscard]] std::vector<logistic_record> beginnings() const {
    std::vector<logistic_record> all;
    for (std::uint64_t i = 0; i < series; ++i) all.push_back({0, static_cast<double>(i) * 0.0025});
    return all;
  }
  // The beginning; for each term an order, a question and an answer; for each series what it came to, asked and told,
  // and the ends of two actors.
  [[nodiscard]] std::uint64_t messages() const { return 1 + series * (3 * terms + 4); }

  std::uint64_t terms;
  std::uint64_t series;
};

// The first ten series after 25000 terms, computed by another program.
inline constexpr double known_terms[] = {
    0,
    0.4102882859812073,
    0.47347135753533254,
    0.40518331156966064,
    0.8659051178633961,
    0.8339444560479721,
    0.8677538878223339,
    0.868609092886722,
    0.8316801187068193,
    0.8309995161906767,
};

inline void check_logistic_map(program& p, const logistic_setting& s, const std::vector<logistic_record>& found,
                               double sum) {
  const auto is_close = [](double a, double b) { return std::abs(a - b) < 1e-9; };
  const auto expected = s.beginnings();
  double sum_expected = 0;
  for (std::uint64_t i = 0; i < s.series; ++i) {
    double x = expected[i].last;
    for (std::uint64_t t = 0; t < s.terms; ++t) x = next_term(logistic_rate(i), x);
    p.check_equal(found[i].terms, s.terms, "terms of one series");
    p.check(is_close(found[i].last, x), "a series came to something else");
    if (s.terms == 25'000 && i < std::size(known_terms)) {
      p.check(is_close(x, known_terms[i]), "a series comes to something else than what is known");
    }
    sum_expected += x;
  }
  p.check(is_close(sum, sum_expected), "the sum of all series");
}

}  // namespace bench
