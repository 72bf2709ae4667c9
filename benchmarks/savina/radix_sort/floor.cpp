// Radix sort without a runtime: sixty passes over an array.
#include "savina/floor.hpp"
#include "savina/sorting.hpp"

namespace bench {
namespace {

struct radix_sort {
  explicit radix_sort(savina_parameters& p) : count(p.number("count", {100'000, 400'000, 60}, "numbers")) {}

  std::uint64_t run() {
    sorted = random_numbers(count);
    for (unsigned bit = 0; bit < number_bits; ++bit) {
      std::stable_partition(sorted.begin(), sorted.end(), [bit](std::uint64_t n) { return (n >> bit & 1) == 0; });
    }
    return (number_bits + 1) * count + 1;
  }
  void check(program& p) const { check_sorted(p, sorted, count); }

  std::uint64_t count;
  numbers sorted;
};

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  return bench::main_without_runtime<bench::radix_sort>(argc, argv, "Radix sort: a pass for each bit (Savina 16).");
}
