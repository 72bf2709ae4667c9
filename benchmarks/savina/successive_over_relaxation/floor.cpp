// Successive over-relaxation on one thread: one half of the cells after the other, in place. Savina 26.
#include <algorithm>

#include "savina/floor.hpp"
#include "savina/successive_over_relaxation/relaxation.hpp"

namespace bench {
namespace {

struct successive_over_relaxation {
  explicit successive_over_relaxation(savina_parameters& p) : how(p), found{how.beginning(), 0} {}

  std::uint64_t run() {
    // With a border of zeros no cell asks where it is.
    const std::size_t wide = std::size_t{how.side} + 2;
    std::vector<double> cells(wide * wide);
    const auto row = [&](std::size_t number) { return cells.data() + (number + 1) * wide + 1; };
    for (std::uint32_t i = 0; i < how.side; ++i) {
      std::copy_n(found.cells.begin() + i * std::ptrdiff_t{how.side}, how.side, row(i));
    }
    const auto compute = [&](bool leading) {
      for (std::uint32_t i = 0; i < how.side; ++i) {
        const double* const above = row(i) - wide;
        const double* const below = row(i) + wide;
        double* const here = row(i);
        for (std::ptrdiff_t j = place{i, 0}.leads() == leading ? 0 : 1; j < how.side; j += 2) {
          here[j] = relaxed(here[j], above[j] + below[j] + here[j - 1] + here[j + 1]);
        }
      }
    };
    for (std::uint64_t round = 1; round < how.rounds; ++round) {
      compute(false);
      compute(true);
    }
    compute(false);
    for (std::uint32_t i = 0; i < how.side; ++i) {
      std::copy_n(row(i), how.side, found.cells.begin() + i * std::ptrdiff_t{how.side});
    }
    for (const double one : found.cells) found.sum += one;
    return how.messages();
  }
  void check(program& p) const { check_relaxation(p, how, found); }

  relaxation how;
  relaxation_result found;
};

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  return bench::main_without_runtime<bench::successive_over_relaxation>(
      argc, argv, "Successive over-relaxation: cells are averaged with their neighbours (Savina 26).");
}
