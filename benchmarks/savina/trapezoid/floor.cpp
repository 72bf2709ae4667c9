// Trapezoid without actors: the area of the whole interval.
#include "savina/floor.hpp"
#include "savina/trapezoid/area.hpp"

namespace bench {
namespace {

struct trapezoid {
  explicit trapezoid(savina_parameters& p) : setting(p) {}

  std::uint64_t run() {
    result = area_under(setting.whole());
    return setting.messages();
  }
  void check(program& p) const { setting.check(p, result); }

  trapezoid_setting setting;
  area result;
};

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  return bench::main_without_runtime<bench::trapezoid>(argc, argv, "Trapezoid: an area added up (Savina 21).");
}
