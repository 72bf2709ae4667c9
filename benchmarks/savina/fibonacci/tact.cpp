// Fibonacci: an actor that is asked for a number asks two new ones for those before it. Savina 29. The actors are
// classic, or transactional: then they become instead of adding up.
#include <stdexcept>

#include "savina/fibonacci/fibonacci.hpp"
#include "savina/tact.hpp"

namespace bench {
namespace {

struct fibonacci_of {
  using reply = std::uint64_t;
  std::uint64_t n;
};
using question = tact::request<fibonacci_of>;
struct computing : tact::protocol<question, std::uint64_t> {};

class summand : public tact::actor<summand, computing> {
 public:
  tact::allocation receive(tact::self<summand>& self, const question& m) {
    if (m.body.n <= 2) return answer(self, m.customer, 1);
    customer_ = m.customer;
    self.defer(m);
    for (const std::uint64_t before : {1U, 2U})
      self.send(self.spawn<summand>(), question{self.ref(), {m.body.n - before}});
    return tact::allocation::nodelete;
  }
  tact::allocation receive(tact::self<summand>& self, const std::uint64_t& part) {
    sum_ += part;
    return --parts_ == 0 ? answer(self, customer_, sum_) : tact::allocation::nodelete;
  }

 private:
  static tact::allocation answer(tact::self<summand>& self, tact::ref<std::uint64_t> customer, std::uint64_t sum) {
    self.send(customer, sum);
    return tact::allocation::delete_;
  }

  tact::ref<std::uint64_t> customer_;
  std::uint64_t sum_ = 0;
  unsigned parts_ = 2;
};

constexpr auto unexpected = [](auto&, const auto&) { throw std::logic_error("not expected in this state"); };

tact::behavior<computing> with_one_part(tact::ref<std::uint64_t> customer, std::uint64_t first) {
  return {
      [=](tact::self<computing>& self, const std::uint64_t& second) {
        self.send(customer, first + second);
        self.stop();
      },
      unexpected,
  };
}

tact::behavior<computing> without_parts(tact::ref<std::uint64_t> customer) {
  return {
      [=](tact::self<computing>& self, const std::uint64_t& first) { self.become(with_one_part(customer, first)); },
      unexpected,
  };
}

tact::behavior<computing> open_summand() {
  return {
      [](tact::self<computing>& self, const question& m) {
        if (m.body.n <= 2) {
          self.reply(m, 1);
          return self.stop();
        }
        self.become(without_parts(m.customer));
        self.defer(m);
        for (const std::uint64_t before : {1U, 2U}) {
          self.send(self.create(open_summand(), tact::parallel), question{self.ref(), {m.body.n - before}});
        }
      },
      unexpected,
  };
}

struct fibonacci : fibonacci_parameters {
  explicit fibonacci(savina_parameters& p)
      : fibonacci_parameters(p),
        classic(p.of().choice("variant", {"classic", "transactional"}, "the actors") == "classic") {}

  std::uint64_t run(tact::engine& engine) {
    const tact::ref<computing> first =
        classic ? tact::ref<computing>(engine.spawn<summand>()) : engine.create(open_summand(), tact::parallel);
    result = engine.ask(first, fibonacci_of{n});
    engine.wait_finished();
    return fibonacci_messages(n);
  }
  void check(program& p, const tact::statistics& s) const {
    check_result(p, result);
    p.check_equal(s.actors_created, fibonacci_actors(n), "actors made");
    p.check_equal(s.dead_letters, 0, "dead letters");
  }

  bool classic;
  std::uint64_t result = 0;
};

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  return bench::main_on_tact<bench::fibonacci>(argc, argv, "Fibonacci: each actor asks two new ones (Savina 29).");
}
