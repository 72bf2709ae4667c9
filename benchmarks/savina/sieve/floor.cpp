// Sieve without a runtime: each number goes through all filters at once.
#include "savina/floor.hpp"
#include "savina/sieve/primes.hpp"

namespace bench {
namespace {

struct sieve {
  explicit sieve(savina_parameters& p) : setting(p) {}

  std::uint64_t run() {
    filters.emplace_back(2u, setting.capacity);
    for (std::uint64_t n = 3; n < setting.limit; n += 2) offer(static_cast<std::uint32_t>(n));
    for (const auto& filter : filters) result.primes += filter.size();
    result.filters = filters.size();
    result.handled += filters.size();
    return result.handled + 1;
  }
  void offer(std::uint32_t number) {
    for (const auto& filter : filters) {
      ++result.handled;
      if (!filter.lets_pass(number)) return;
    }
    if (filters.back().full()) {
      filters.emplace_back(number, setting.capacity);
    } else {
      filters.back().keep(number);
    }
  }
  void check(program& p) const { check_sieve(p, result, setting); }

  sieve_setting setting;
  sieve_result result;
  std::vector<prime_filter> filters;
};

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  return bench::main_without_runtime<bench::sieve>(argc, argv, "Sieve: numbers are divided by all primes (Savina 18).");
}
