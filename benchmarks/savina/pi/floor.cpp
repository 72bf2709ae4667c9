// Pi without actors: the terms one after the other.
#include "savina/floor.hpp"
#include "savina/pi/series.hpp"

namespace bench {
namespace {

struct pi {
  explicit pi(savina_parameters& p) : setting(p) {}

  std::uint64_t run() {
    for (bool is_enough = false; !is_enough; ++sum.terms) {
      const decimal term = setting.term(sum.terms);
      sum.value += term;
      is_enough = pi_setting::is_last(term);
    }
    return setting.messages(sum.terms);
  }
  void check(program& p) const { setting.check(p, sum, 1); }

  pi_setting setting;
  pi_sum sum;
};

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  return bench::main_without_runtime<bench::pi>(argc, argv, "Pi: the terms of a series by one thread (Savina 22).");
}
