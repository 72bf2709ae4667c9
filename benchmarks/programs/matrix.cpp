// Matrix on tact.
#include "programs/matrix.hpp"

#include "programs/engine.hpp"

namespace bench {
namespace {

class multiplier : public tact::actor<multiplier, matrix_row> {
 public:
  tact::allocation receive(tact::self<multiplier>&, const matrix_row& m) {
    m.multiply();
    return tact::allocation::finished;
  }
};

int run(program& p) {
  matrix_setting matrix(p);
  const auto options = read_engine_options(p);
  p.ready();

  std::vector<multiplier> multipliers(matrix.n);
  std::vector<tact::ref<multiplier>> refs;
  tact::engine engine(options);
  for (auto& m : multipliers) refs.push_back(engine.attach(m));

  stopwatch watch;
  for (std::size_t r = 0; r < matrix.n; ++r) engine.send(refs[r], row_of(matrix, r));
  engine.wait_finished();
  watch.stop();

  check_matrix(p, matrix);
  check_engine(p, engine, matrix.n);
  return p.report(watch, matrix.n);
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  bench::program p(argc, argv, "Matrix: a product of two matrices, row by row.", bench::tact_runtime);
  return bench::run(p);
}
