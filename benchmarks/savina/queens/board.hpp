// What the programs of queens share: boards, the search, and what must be found.
#pragma once

#include <algorithm>
#include <array>

#include "savina/parameters.hpp"

namespace bench {

inline constexpr std::array<std::uint64_t, 20> queens_solutions{
    1,     0,      0,      2,       10,        4,          40,         92,          352,           724,
    2'680, 14'200, 73'712, 365'596, 2'279'184, 14'772'512, 95'815'104, 666'090'624, 4'968'057'848, 39'029'188'884};

// Queens in the first rows of a chess board.
struct board {
  // Looks at all pairs, also at those that were valid before: so it is meant.
  [[nodiscard]] bool is_valid() const {
    for (std::size_t i = 0; i < rows; ++i) {
      for (std::size_t j = i + 1; j < rows; ++j) {
        const std::size_t a = column[i];
        const std::size_t b = column[j];
        if (a == b || a + (j - i) == b || b + (j - i) == a) return false;
      }
    }
    return true;
  }

  // f(board) for each valid one with a queen in the next row too.
  template <class F>
  void extend(std::size_t size, F f) {
    ++rows;
    for (std::uint8_t c = 0; c < size; ++c) {
      column[rows - 1U] = c;
      if (is_valid()) f(*this);
    }
    --rows;
  }

  // found() for each solution that begins so.
  template <class F>
  void solve(std::size_t size, F& found) {
    if (rows == size) return found();
    extend(size, [&](board& next) { next.solve(size, found); });
  }

  std::uint8_t rows = 0;
  std::array<std::uint8_t, queens_solutions.size()> column{};
};

// How many valid boards have queens in so many rows at most, by sets of columns and of diagonals that are taken.
constexpr std::uint64_t count_boards(std::size_t size, std::size_t rows, std::uint64_t columns = 0,
                                     std::uint64_t falling = 0, std::uint64_t rising = 0) {
  std::uint64_t count = 1;
  if (rows == 0) return count;
  for (std::size_t c = 0; c < size; ++c) {
    const std::uint64_t here = std::uint64_t{1} << c;
    if (((columns | falling | rising) & here) != 0) continue;
    count += count_boards(size, rows - 1, columns | here, (falling | here) << 1, (rising | here) >> 1);
  }
  return count;
}
static_assert(count_boards(8, 4) == 535 && count_boards(10, 4) == 1'847 && count_boards(12, 4) == 4'959);

// What came to the master.
struct queens_record {
  std::uint64_t boards = 0;
  std::uint64_t searched = 0;  // of those
  std::uint64_t solutions = 0;
};

struct queens_setting {
  explicit queens_setting(savina_parameters& p)
      : workers(p.number("workers", {20, 100, 4}, "actors that search")),
        size(p.number("size", {12, 14, 8}, "rows and columns of the board")),
        threshold(p.number("threshold", {4, 4, 2}, "boards with so many rows are not divided any more", 0)),
        wanted(p.number("solutions", {1'500'000, 1'500'000, 1'500'000}, "solutions after which it stops")) {
    p.of().require(size <= queens_solutions.size(), "--size is 20 at most");
  }

  [[nodiscard]] bool is_divided(const board& b) const { return b.rows < std::min(threshold, size); }
  [[nodiscard]] std::uint64_t solutions() const { return queens_solutions[size - 1]; }
  // Before it has found all.
  [[nodiscard]] bool may_stop() const { return wanted <= solutions(); }
  [[nodiscard]] std::uint64_t boards() const { return count_boards(size, std::min(threshold, size)); }
  // A board goes to the master, to a worker if that has not stopped, and is searched; workers are stopped, and say so.
  [[nodiscard]] std::uint64_t messages(const queens_record& of) const {
    return of.boards + 2 * of.searched + of.solutions + 2 * workers;
  }

  // Solutions may still come in when there are enough.
  void check_found(program& p, const queens_record& found) const {
    if (may_stop()) {
      p.check(found.solutions >= wanted, "it stopped before there were enough solutions");
      p.check(found.solutions <= solutions(), "more solutions than there are");
      return;
    }
    p.check_equal(found.solutions, solutions(), "solutions");
    p.check_equal(found.boards, boards(), "boards that came to the master");
    p.check_equal(found.searched, boards(), "boards searched");
  }

  std::uint64_t workers;
  std::uint64_t size;
  std::uint64_t threshold;
  std::uint64_t wanted;
};

}  // namespace bench
