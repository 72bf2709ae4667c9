// Sieve: numbers go through a chain of filters, which grows by one whenever its last is full of primes. Savina 18.
#include "savina/tact.hpp"
#include "savina/sieve/primes.hpp"

namespace bench {
namespace {

struct candidate {
  std::uint32_t number;
};
struct over {
  std::uint64_t handled;  // by the filters before
};

class filter : public tact::actor<filter, candidate, over> {
 public:
  filter(std::uint64_t before, std::uint32_t prime, std::uint64_t capacity, sieve_result* result)
      : before_(before), capacity_(capacity), primes_(prime, capacity), result_(result) {}
  void receive(tact::self<filter>& self, const candidate& m) {
    ++handled_;
    if (!primes_.lets_pass(m.number)) return;
    if (next_) return self.send(next_, m);
    if (!primes_.full()) return primes_.keep(m.number);
    next_ = self.spawn<filter>(before_ + 1, m.number, capacity_, result_);
  }
  tact::allocation receive(tact::self<filter>& self, const over& m) {
    const auto handled = m.handled + handled_ + 1;
    if (next_) {
      self.send(next_, over{handled});
    } else {
      *result_ = {before_ * capacity_ + primes_.size(), before_ + 1, handled};
    }
    return tact::allocation::delete_;
  }

 private:
  std::uint64_t before_;  // filters
  std::uint64_t capacity_;
  prime_filter primes_;
  sieve_result* result_;
  std::uint64_t handled_ = 0;
  tact::ref<filter> next_;
};

struct start {
  tact::ref<filter> first;
};

class producer : public tact::actor<producer, start> {
 public:
  explicit producer(std::uint64_t limit) : limit_(limit) {}
  tact::allocation receive(tact::self<producer>& self, const start& m) {
    for (std::uint64_t n = 3; n < limit_; n += 2) self.send(m.first, candidate{static_cast<std::uint32_t>(n)});
    self.send(m.first, over{0});
    return tact::allocation::delete_;
  }

 private:
  std::uint64_t limit_;
};

struct sieve {
  explicit sieve(savina_parameters& p) : setting(p) {}

  std::uint64_t run(tact::engine& engine) {
    const auto first = engine.spawn<filter>(0u, 2u, setting.capacity, &result);
    engine.send(engine.spawn<producer>(setting.limit), start{first});
    engine.wait_finished();
    return result.handled + 1;
  }
  void check(program& p, const tact::statistics& s) const {
    check_sieve(p, result, setting);
    p.check_equal(s.actors_created, result.filters + 1, "actors made");
    p.check_equal(s.dead_letters, 0, "dead letters");
  }

  sieve_setting setting;
  sieve_result result;
};

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  return bench::main_on_tact<bench::sieve>(argc, argv, "Sieve: numbers go through a chain of filters (Savina 18).");
}
