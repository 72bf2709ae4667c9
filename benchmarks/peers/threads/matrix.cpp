// Matrix on threads.
#include "programs/matrix.hpp"

#include <latch>

#include "peers/threads/pool.hpp"

namespace bench {
namespace {

using rows = pool<matrix_row>;

class multiplier : public rows::actor {
 public:
  explicit multiplier(std::latch& done) : done_(done) {}
  void receive(rows&, const matrix_row& row) override {
    row.multiply();
    done_.count_down();
  }

 private:
  std::latch& done_;
};

int run(program& p) {
  matrix_setting matrix(p);
  p.ready();

  std::latch done(static_cast<std::ptrdiff_t>(matrix.n));
  std::vector<multiplier> multipliers(matrix.n, multiplier(done));
  rows threads(p.threads());
  for (multiplier& m : multipliers) threads.place(m);

  stopwatch watch;
  for (std::size_t r = 0; r < matrix.n; ++r) threads.send(multipliers[r], row_of(matrix, r));
  done.wait();
  watch.stop();

  check_matrix(p, matrix);
  return p.report(watch, matrix.n);
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  bench::program p(argc, argv, "Matrix: a product of two matrices, row by row.", bench::pool_runtime);
  return bench::run(p);
}
