// Bitonic sort without a runtime: the network over an array.
#include "savina/floor.hpp"
#include "savina/bitonic_sort/network.hpp"

namespace bench {
namespace {

struct bitonic_sort {
  explicit bitonic_sort(savina_parameters& p) : count(ask_for_count(p)) {}

  std::uint64_t run() {
    sorted = random_numbers(count);
    for (std::uint64_t size = 2; size <= count; size *= 2) {
      for (auto length = size; length >= 2; length /= 2) {
        for (std::uint64_t begin = 0; begin < count; begin += length) {
          compare(begin, length / 2, upwards(begin, size));
        }
      }
    }
    return messages_of_network(count);
  }
  void compare(std::uint64_t begin, std::uint64_t half, bool up) {
    for (auto i = begin; i < begin + half; ++i) {
      if ((sorted[i] > sorted[i + half]) == up) std::swap(sorted[i], sorted[i + half]);
    }
  }
  void check(program& p) const { check_sorted(p, sorted, count); }

  std::uint64_t count;
  numbers sorted;
};

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  return bench::main_without_runtime<bench::bitonic_sort>(argc, argv,
                                                          "Bitonic sort: its network over an array (Savina 30).");
}
