// Matrix multiply without actors: the same division, recursively.
#include "savina/floor.hpp"
#include "savina/matrix_multiply/matrices.hpp"

namespace bench {
namespace {

struct matrix_multiply {
  explicit matrix_multiply(savina_parameters& p) : setting(p) {}

  std::uint64_t run() {
    add(setting.whole());
    return setting.messages();
  }
  void add(const product& m) {
    if (!setting.is_divided(m)) return setting.multiply(m);
    for_each_part(m, [this](const product& part) { add(part); });
  }
  void check(program& p) const { setting.check(p); }

  matrix_multiply_setting setting;
};

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  return bench::main_without_runtime<bench::matrix_multiply>(
      argc, argv, "Matrix multiply: a product of two matrices, divided recursively (Savina 23).");
}
