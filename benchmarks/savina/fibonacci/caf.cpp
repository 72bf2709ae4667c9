// Fibonacci on CAF.
#include "savina/caf.hpp"
#include "savina/fibonacci/fibonacci.hpp"

namespace bench {
namespace {

using compute = caf::atom_constant<caf::atom("compute")>;
using computed = caf::atom_constant<caf::atom("computed")>;

class summand : public caf::event_based_actor {
 public:
  summand(caf::actor_config& config, caf::actor parent) : event_based_actor(config), parent_(std::move(parent)) {}
  caf::behavior make_behavior() override {
    return {
        [this](compute, std::uint64_t n) {
          if (n <= 2) return answer(1);
          for (const std::uint64_t before : {1U, 2U})
            send(spawn<summand, caf::lazy_init>(caf::actor(this)), compute::value, n - before);
        },
        [this](computed, std::uint64_t part) {
          sum_ += part;
          if (--parts_ == 0) answer(sum_);
        },
    };
  }

 private:
  void answer(std::uint64_t sum) {
    send(parent_, computed::value, sum);
    quit();
  }

  caf::actor parent_;
  std::uint64_t sum_ = 0;
  unsigned parts_ = 2;
};

struct fibonacci : fibonacci_parameters {
  using fibonacci_parameters::fibonacci_parameters;

  std::uint64_t run(caf::actor_system& system) {
    {
      caf::scoped_actor self(system);
      self->send(self->spawn<summand, caf::lazy_init>(self), compute::value, n);
      self->receive([this](computed, std::uint64_t sum) { result = sum; });
    }
    system.await_all_actors_done();
    return fibonacci_messages(n);
  }
  void check(program& p) const { check_result(p, result); }

  std::uint64_t result = 0;
};

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  return bench::main_on_caf<bench::fibonacci>(argc, argv, "Fibonacci: each actor asks two new ones (Savina 29).");
}
