// All pairs without a runtime: the same steps of the same blocks, one after the other.
#include "savina/floor.hpp"
#include "savina/all_pairs/graph.hpp"

namespace bench {
namespace {

struct all_pairs {
  explicit all_pairs(savina_parameters& p) : setting(p) {}

  std::uint64_t run() {
    const std::size_t size = setting.side * setting.side;
    before.resize(setting.blocks() * size);
    for (std::size_t b = 0; b < setting.blocks(); ++b) {
      std::copy_n(setting.cut(b / setting.across, b % setting.across).get(), size, &before[b * size]);
    }
    std::vector<distance> after(before.size());
    for (std::size_t via = 0; via < setting.nodes; ++via) {
      const std::size_t at = via / setting.side;
      for (std::size_t row = 0; row < setting.across; ++row) {
        for (std::size_t column = 0; column < setting.across; ++column) {
          const auto block = [&](std::size_t r, std::size_t c) { return (r * setting.across + c) * size; };
          setting.step(via, &before[block(row, column)], &before[block(row, at)], &before[block(at, column)],
                       &after[block(row, column)]);
        }
      }
      std::swap(before, after);
    }
    return setting.blocks() + setting.messages();
  }
  void check(program& p) const {
    std::vector<const distance*> found;
    for (std::size_t b = 0; b < setting.blocks(); ++b) found.push_back(&before[b * setting.side * setting.side]);
    setting.check(p, found);
  }

  all_pairs_setting setting;
  std::vector<distance> before;
};

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  return bench::main_without_runtime<bench::all_pairs>(argc, argv,
                                                       "All pairs: shortest paths, block by block (Savina 25).");
}
