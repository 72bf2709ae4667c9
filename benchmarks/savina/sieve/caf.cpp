// Sieve on CAF.
#include "savina/caf.hpp"
#include "savina/sieve/primes.hpp"

namespace bench {
namespace {

using over = caf::atom_constant<caf::atom("over")>;
using start = caf::atom_constant<caf::atom("start")>;

class filter : public caf::event_based_actor {
 public:
  filter(caf::actor_config& config, std::uint64_t before, std::uint32_t prime, std::uint64_t capacity,
         sieve_result* result)
      : event_based_actor(config), before_(before), capacity_(capacity), primes_(prime, capacity), result_(result) {}
  caf::behavior make_behavior() override {
    return {
        [this](std::uint32_t number) {
          ++handled_;
          if (!primes_.lets_pass(number)) return;
          if (next_) return send(next_, number);
          if (!primes_.full()) return primes_.keep(number);
          next_ = spawn<filter, caf::lazy_init>(before_ + 1, number, capacity_, result_);
        },
        [this](over, std::uint64_t handled_before) {
          const auto handled = handled_before + handled_ + 1;
          if (next_) {
            send(next_, over::value, handled);
          } else {
            *result_ = {before_ * capacity_ + primes_.size(), before_ + 1, handled};
          }
          quit();
        },
    };
  }

 private:
  std::uint64_t before_;  // filters
  std::uint64_t capacity_;
  prime_filter primes_;
  sieve_result* result_;
  std::uint64_t handled_ = 0;
  caf::actor next_;
};

class producer : public caf::event_based_actor {
 public:
  producer(caf::actor_config& config, std::uint64_t limit) : event_based_actor(config), limit_(limit) {}
  caf::behavior make_behavior() override {
    return {[this](start, const caf::actor& first) {
      for (std::uint64_t n = 3; n < limit_; n += 2) send(first, static_cast<std::uint32_t>(n));
      send(first, over::value, std::uint64_t{0});
      quit();
    }};
  }

 private:
  std::uint64_t limit_;
};

struct sieve {
  explicit sieve(savina_parameters& p) : setting(p) {}

  std::uint64_t run(caf::actor_system& system) {
    caf::anon_send(system.spawn<producer>(setting.limit), start::value,
                   system.spawn<filter>(0u, 2u, setting.capacity, &result));
    system.await_all_actors_done();
    return result.handled + 1;
  }
  void check(program& p) const { check_sieve(p, result, setting); }

  sieve_setting setting;
  sieve_result result;
};

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  return bench::main_on_caf<bench::sieve>(argc, argv, "Sieve: numbers go through a chain of filters (Savina 18).");
}
