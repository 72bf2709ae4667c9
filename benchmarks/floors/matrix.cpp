// Floor of matrix: the rows divided by bare threads.
#include "programs/matrix.hpp"

#include "floors/shares.hpp"

namespace bench {
namespace {

int run(program& p) {
  matrix_setting matrix(p);
  p.ready();

  stopwatch watch;
  share(p.threads(), matrix.n, [&](std::uint64_t first, std::uint64_t last) {
    for (; first < last; ++first) row_of(matrix, first).multiply();
  });
  watch.stop();

  check_matrix(p, matrix);
  return p.report(watch, matrix.n);
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  bench::program p(argc, argv, "Matrix: a product of two matrices, the rows divided evenly.", "threads, no runtime");
  return bench::run(p);
}
