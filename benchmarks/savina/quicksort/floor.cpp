// Quicksort without actors: the same in place, down to single numbers.
#include "savina/floor.hpp"
#include "savina/quicksort/numbers.hpp"

namespace bench {
namespace {

struct quicksort {
  explicit quicksort(savina_parameters& p) : setting(p) {}

  std::uint64_t run() {
    result = *setting.input;
    sort_three_ways(result);
    return setting.messages();
  }
  void check(program& p) const { setting.check(p, result); }

  quicksort_setting setting;
  numbers result;
};

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  return bench::main_without_runtime<bench::quicksort>(argc, argv, "Quicksort of numbers by one thread (Savina 24).");
}
