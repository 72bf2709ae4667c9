// Relaxation of a square of cells: what the runtimes share, and what has to come out.
#pragma once

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <vector>

#include "savina/parameters.hpp"
#include "savina/random.hpp"

namespace bench {

struct place {
  std::uint32_t row;
  std::uint32_t column;

  // Which cells give their value to the others before these are computed, as on a chess board.
  [[nodiscard]] constexpr bool leads() const { return (row + column) % 2 == 0; }
};

// The places above, below, left and right of one, as far as there are any.
template <class F>
constexpr void for_each_neighbour(place at, std::uint32_t side, F f) {
  if (at.row > 0) f(place{at.row - 1, at.column});
  if (at.row + 1 < side) f(place{at.row + 1, at.column});
  if (at.column > 0) f(place{at.row, at.column - 1});
  if (at.column + 1 < side) f(place{at.row, at.column + 1});
}

constexpr double relaxed(double value, double sum_of_neighbours) {
  constexpr double omega = 1.25;
  return 0.25 * omega * sum_of_neighbours + (1 - omega) * value;
}

struct relaxation {
  explicit relaxation(savina_parameters& p)
      : side(static_cast<std::uint32_t>(p.number("side", {20, 150, 4}, "cells in a row, and rows", 2))),
        rounds(p.number("rounds", {100, 100, 6}, "how often half of the cells are computed; the others once less", 2)) {
  }

  [[nodiscard]] std::size_t index(place at) const { return std::size_t{at.row} * side + at.column; }
  [[nodiscard]] std::vector<double> beginning() const {
    savina_random dice(10'101'010);
    std::vector<double> cells(std::size_t{side} * side);
    for (double& one : cells) one = dice.real() * 1e-6;
    return cells;
  }
  [[nodiscard]] std::uint64_t pairs() const { return 2 * std::uint64_t{side} * (side - 1); }
  // The leader ends before the last values come.
  [[nodiscard]] std::uint64_t values_in_vain() const { return pairs(); }
  // Each cell is started and has a result; the halves boot, know each other's border, and add their sums.
  [[nodiscard]] std::uint64_t messages() const {
    return pairs() * 2 * rounds - values_in_vain() + 2 * std::uint64_t{side} * side + 4;
  }

  std::uint32_t side;
  std::uint64_t rounds;
};

inline std::vector<double> recount(const relaxation& how) {
  std::vector<double> cells = how.beginning();
  const auto compute = [&](bool leading) {
    for (place at{0, 0}; at.row < how.side; ++at.row) {
      for (at.column = 0; at.column < how.side; ++at.column) {
        if (at.leads() != leading) continue;
        double sum = 0;
        for_each_neighbour(at, how.side, [&](place beside) { sum += cells[how.index(beside)]; });
        cells[how.index(at)] = relaxed(cells[how.index(at)], sum);
      }
    }
  };
  for (std::uint64_t round = 1; round <= how.rounds; ++round) {
    compute(false);
    if (round < how.rounds) compute(true);
  }
  return cells;
}

enum class side : bool { left, right };

// Where the cells are that one owner has, and those of the other that are beside them: the border.
template <class Address>
class half {
 public:
  half(const relaxation& how, side which)
      : rows_(how.side),
        first_(which == side::left ? 0 : how.side / 2),
        end_(which == side::left ? how.side / 2 : how.side),
        edge_(which == side::left ? end_ - 1 : first_),
        border_(which == side::left ? end_ : first_ - 1),
        cells_(std::size_t{rows_} * width()) {}

  [[nodiscard]] const Address& at(place p) const { return cells_[index(p)]; }
  template <class F>
  void make(F make_one) {
    for_each([&](place p) { cells_[index(p)] = make_one(p); });
  }
  // What the other owner has beside its own.
  [[nodiscard]] std::vector<Address> edge() const {
    std::vector<Address> found;
    for (std::uint32_t row = 0; row < rows_; ++row) found.push_back(at({row, edge_}));
    return found;
  }
  void set_border(const std::vector<Address>& beside) {
    for (std::uint32_t row = 0; row < rows_; ++row) cells_[index({row, border_})] = beside[row];
  }
  // The owner's places.
  template <class F>
  void for_each(F f) const {
    for (place p{0, 0}; p.row < rows_; ++p.row) {
      for (p.column = first_; p.column < end_; ++p.column) f(p);
    }
  }

 private:
  [[nodiscard]] std::uint32_t width() const { return end_ - first_ + 1; }
  [[nodiscard]] std::size_t index(place p) const {
    return std::size_t{p.row} * width() + p.column - std::min(first_, border_);
  }

  std::uint32_t rows_;
  std::uint32_t first_;
  std::uint32_t end_;
  std::uint32_t edge_;
  std::uint32_t border_;
  std::vector<Address> cells_;
};

struct relaxation_result {
  std::vector<double> cells;
  double sum = 0;
};

// What an owner hears of its cells.
class results {
 public:
  results(const relaxation& how, side which, relaxation_result& all)
      : how_(&how),
        all_(&all),
        left_(std::size_t{how.side} * (which == side::left ? how.side / 2 : how.side - how.side / 2)) {}
  // Was it the last one?
  bool add(place at, double value) {
    all_->cells[how_->index(at)] = value;
    sum_ += value;
    return --left_ == 0;
  }
  [[nodiscard]] double sum() const { return sum_; }

 private:
  const relaxation* how_;
  relaxation_result* all_;
  std::size_t left_;
  double sum_ = 0;
};

// Apart from roundings, as each sum may be added in another order.
inline void check_relaxation(program& p, const relaxation& how, const relaxation_result& found) {
  const auto near = [](double a, double b) { return std::abs(a - b) <= 1e-9 * std::abs(b); };
  const std::vector<double> expected = recount(how);
  double sum = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    sum += expected[i];
    p.check(near(found.cells[i], expected[i]), "the value of a cell");
  }
  p.check(near(found.sum, sum), "the sum of all cells");

  struct known {
    std::uint32_t side;
    double sum;
  };
  for (const known k :
       {known{20, 4.1626863423327e-10}, known{80, 2.66668265343488e-07}, known{100, 1.19203097515002e-06},
        known{120, 1.73555135361068e-06}, known{150, 3.33889139464362e-06}, known{200, 5.51256322463416e-06},
        known{250, 9.5733637849628e-06}}) {
    if (how.rounds == 100 && how.side == k.side) p.check(near(found.sum, k.sum), "the sum that is known");
  }
}

}  // namespace bench
