// Game of life, for every runtime: a square of cells, of which each tells its eight neighbours in each generation
// whether it lives, or strips of rows, of which each tells its edges to the strips above and below. No actor waits
// for all others: it goes on as soon as its neighbours have told it of the same generation.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "programs/program.hpp"
#include "programs/random.hpp"

namespace bench {

// 1 is a cell that lives, 0 one that does not. Of a whole game: row by row.
using life_cells = std::vector<std::uint8_t>;

constexpr std::uint8_t lives_next(std::uint8_t lives, unsigned living_neighbours) {
  return living_neighbours == 3 || (living_neighbours == 2 && lives == 1) ? 1 : 0;
}

inline bool read_life_by_strips(program& p) {
  return p.choice("variant", {"cells", "strips"}, "an actor for each cell, or for each strip of rows") == "strips";
}

struct life_setting {
  life_setting(program& p, bool are_strips)
      : by_strips(are_strips),
        size(p.number("size", 100, 12, "cells of a row, and rows; what leaves at one edge comes in at the other", 3,
                      10'000)),
        generations(
            p.number("generations", by_strips ? 5'000 : 200, 10, "generations after the first", 1, 1'000'000'000)),
        strips(by_strips ? p.number("strips", 20, 4, "strips of rows, at most --size") : 0),
        seed(p.number("seed", 1, 1, "of the dice that say which cells live at first", 0)) {
    p.require(strips <= size, "--strips is at most --size");
  }
  [[nodiscard]] std::uint64_t actors() const { return by_strips ? strips : size * size; }
  // An actor has the cells from its first one to the first one of the next actor.
  [[nodiscard]] std::uint64_t first_cell(std::uint64_t actor) const {
    return by_strips ? size * (size * actor / strips) : actor;
  }
  // Each actor is told to begin, and hears of each generation but the last from each neighbour.
  [[nodiscard]] std::uint64_t messages() const { return actors() * ((by_strips ? 2 : 8) * generations + 1); }

  // One cell in three lives.
  [[nodiscard]] life_cells beginning() const {
    random_choice dice(seed);
    life_cells cells(size * size);
    for (auto& one : cells) one = dice.below(3) == 0 ? 1 : 0;
    return cells;
  }

  bool by_strips;
  std::uint64_t size;
  std::uint64_t generations;
  std::uint64_t strips;
  std::uint64_t seed;
};

// Calls f(index) for each of the eight neighbours of a cell.
template <class F>
void for_each_life_neighbour(std::uint64_t size, std::uint64_t cell, F f) {
  const std::uint64_t row = cell / size, column = cell % size;
  const std::uint64_t left = column == 0 ? size - 1 : column - 1;
  const std::uint64_t right = column + 1 == size ? 0 : column + 1;
  const std::uint64_t above = row == 0 ? size - 1 : row - 1;
  const std::uint64_t below = row + 1 == size ? 0 : row + 1;
  for (const std::uint64_t r : {above, row, below}) {
    f(r * size + left);
    if (r != row) f(r * size + column);
    f(r * size + right);
  }
}

// The next generation of a row, from itself and the rows beside it.
inline void make_next_row(const std::uint8_t* above, const std::uint8_t* row, const std::uint8_t* below,
                          std::uint8_t* next, std::uint64_t size) {
  const auto make = [&](std::uint64_t left, std::uint64_t at, std::uint64_t right) {
    const unsigned beside = row[left] + row[right];
    next[at] =
        lives_next(row[at], beside + above[left] + above[at] + above[right] + below[left] + below[at] + below[right]);
  };
  make(size - 1, 0, 1);
  for (std::uint64_t i = 1; i + 1 < size; ++i) make(i - 1, i, i + 1);
  make(size - 2, size - 1, 0);
}

// The same of some rows, one behind the other, between one above and one below.
inline void make_next_rows(const std::uint8_t* above, std::span<const std::uint8_t> rows, const std::uint8_t* below,
                           std::uint8_t* next, std::uint64_t size) {
  for (std::uint64_t at = 0; at < rows.size(); at += size) {
    const std::uint8_t* const before = at == 0 ? above : &rows[at - size];
    const std::uint8_t* const after = at + size == rows.size() ? below : &rows[at + size];
    make_next_row(before, &rows[at], after, next + at, size);
  }
}

// Of one actor: in which generation it is, and how many of its neighbours have told of theirs. A neighbour may be one
// generation ahead, but not two: for the second it needs to hear from this one.
template <unsigned Neighbours>
class life_progress {
 public:
  [[nodiscard]] std::uint32_t generation() const { return generation_; }
  // It has told its neighbours of its first generation.
  void begin() { begun_ = true; }
  void hear(std::uint32_t generation) {
    wrong_ += generation != generation_ && generation != generation_ + 1;
    ++heard_[generation % 2];
  }
  // Is all there that the next generation needs? Then it is in the next one.
  [[nodiscard]] bool go_on() {
    std::uint8_t& heard = heard_[generation_ % 2];
    if (!begun_ || heard != Neighbours) return false;
    heard = 0;
    ++generation_;
    return true;
  }
  void check(program& p, const life_setting& s) const {
    p.check_equal(generation_, s.generations, "generations of an actor");
    p.check_equal(wrong_, 0, "messages of a generation that is over, or not there yet");
  }

 private:
  std::uint32_t generation_ = 0;
  std::uint32_t wrong_ = 0;
  std::uint8_t heard_[2]{};  // of the even generation and of the odd one
  bool begun_ = false;
};

// The last generation, by one thread, and not in the way of the programs: here each cell that lives adds one to its
// neighbours.
inline life_cells recount(const life_setting& s) {
  life_cells cells = s.beginning();
  std::vector<unsigned> living(cells.size());
  for (std::uint64_t generation = 0; generation < s.generations; ++generation) {
    living.assign(cells.size(), 0);
    for (std::uint64_t i = 0; i < cells.size(); ++i) {
      if (cells[i] == 1) for_each_life_neighbour(s.size, i, [&](std::uint64_t beside) { ++living[beside]; });
    }
    for (std::uint64_t i = 0; i < cells.size(); ++i) cells[i] = lives_next(cells[i], living[i]);
  }
  return cells;
}

inline void check_life(program& p, const life_setting& s, const life_cells& found) {
  p.check(found == recount(s), "the cells of the last generation");

  const auto living = static_cast<std::uint64_t>(std::count(found.begin(), found.end(), 1));
  struct known {
    std::uint64_t size, generations, living;
  };
  for (const known k : {known{12, 10, 16}, known{100, 200, 680}, known{100, 5'000, 273}}) {
    if (s.seed == 1 && s.size == k.size && s.generations == k.generations)
      p.check_equal(living, k.living, "cells that are known to live");
  }
}

}  // namespace bench
