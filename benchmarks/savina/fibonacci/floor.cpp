// Fibonacci without a runtime: as many calls as there would be actors.
#include "savina/floor.hpp"
#include "savina/fibonacci/fibonacci.hpp"

namespace bench {
namespace {

// A compiler makes a loop of half the calls if the sum is returned.
[[gnu::noinline]] void compute(std::uint64_t n, std::uint64_t& result) {
  result = 1;
  if (n <= 2) return;
  std::uint64_t last;
  std::uint64_t before;
  compute(n - 1, last);
  compute(n - 2, before);
  result = last + before;
}

struct fibonacci : fibonacci_parameters {
  using fibonacci_parameters::fibonacci_parameters;

  std::uint64_t run() {
    compute(n, result);
    return fibonacci_messages(n);
  }
  void check(program& p) const { check_result(p, result); }

  std::uint64_t result = 0;
};

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  return bench::main_without_runtime<bench::fibonacci>(argc, argv, "Fibonacci: a recursion (Savina 29).");
}
