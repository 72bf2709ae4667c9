// Floor of the game of life: the rows divided by bare threads, which meet after each generation.
#include "programs/life.hpp"

#include <barrier>

#include "floors/shares.hpp"

namespace bench {
namespace {

int run(program& p) {
  const life_setting setting(p, read_life_by_strips(p));
  p.ready();
  const std::uint64_t size = setting.size;
  life_cells cells = setting.beginning(), next(cells.size());
  std::barrier generation_ends(p.threads(), [&]() noexcept { cells.swap(next); });

  stopwatch watch;
  share(p.threads(), size, [&](std::uint64_t first, std::uint64_t last) {
    for (std::uint64_t generation = 0; generation < setting.generations; ++generation) {
      if (first != last) {
        const std::span<const std::uint8_t> rows(&cells[first * size], (last - first) * size);
        const std::uint8_t* const above = &cells[(first == 0 ? size - 1 : first - 1) * size];
        const std::uint8_t* const below = &cells[(last == size ? 0 : last) * size];
        make_next_rows(above, rows, below, &next[first * size], size);
      }
      generation_ends.arrive_and_wait();
    }
  });
  watch.stop();

  check_life(p, setting, cells);
  return p.report(watch, setting.messages());
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  bench::program p(argc, argv, "Game of life: the rows divided evenly, generation by generation.",
                   "threads, no runtime");
  return bench::run(p);
}
