// Queens without a runtime: one search, for all solutions.
#include "savina/floor.hpp"
#include "savina/queens/board.hpp"

namespace bench {
namespace {

struct queens {
  explicit queens(savina_parameters& p) : setting(p), boards(setting.boards()) {}

  std::uint64_t run() {
    board empty;
    const auto found = [this] { ++solutions; };
    empty.solve(setting.size, found);
    return setting.messages({boards, boards, solutions});
  }
  void check(program& p) const { p.check_equal(solutions, setting.solutions(), "solutions"); }

  queens_setting setting;
  std::uint64_t boards;
  std::uint64_t solutions = 0;
};

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  return bench::main_without_runtime<bench::queens>(argc, argv, "Queens: solutions of a puzzle (Savina 28).");
}
