// Matrix on CAF.
#include "programs/matrix.hpp"

#include "peers/caf/system.hpp"

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(bench::matrix_row)

namespace bench {
namespace {

class multiplier : public caf::event_based_actor {
 public:
  explicit multiplier(caf::actor_config& config) : event_based_actor(config) {}
  caf::behavior make_behavior() override {
    return {[this](const matrix_row& row) {
      row.multiply();
      quit();
    }};
  }
};

int run(program& p) {
  matrix_setting matrix(p);
  caf_options options(p);
  p.ready();

  std::vector<caf::actor> refs;
  caf::actor_system system(options);
  for (std::size_t r = 0; r < matrix.n; ++r) refs.push_back(system.spawn<multiplier, caf::lazy_init>());

  stopwatch watch;
  for (std::size_t r = 0; r < matrix.n; ++r) caf::anon_send(refs[r], row_of(matrix, r));
  system.await_all_actors_done();
  watch.stop();

  check_matrix(p, matrix);
  return p.report(watch, matrix.n);
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  bench::program p(argc, argv, "Matrix: a product of two matrices, row by row.", bench::caf_runtime());
  return bench::run(p);
}
