// Is a number a prime? Four actors look for a divisor at the same time, each among other numbers. The first that finds
// one has decided it, and the others stop. One of them may break: a divisor that another one has found is still one,
// but when none was found nobody knows, and the request fails.
#include <cstdint>
#include <cstdio>
#include <stdexcept>
#include <tact/patterns/in_parallel.hpp>
#include <tact/tact.hpp>
#include <vector>

namespace {

constexpr std::uint64_t searchers = 4;

// A divisor; 0 when there is none among those that the actor looks at.
struct divisor_of {
  using reply = std::uint64_t;
  std::uint64_t number;
};
struct has_no_divisor {
  using reply = bool;
  std::uint64_t number;
};

// Looks at every fourth number from 2 + `first` on. A search that is not wanted any more ends early.
std::uint64_t search(const tact::transaction& tx, std::uint64_t number, std::uint64_t first) {
  for (std::uint64_t d = 2 + first, n = 1; d * d <= number; d += searchers, ++n) {
    if (number % d == 0) return d;
    if (n % 1'000 == 0 && tx.context().is_over()) return 0;
  }
  return 0;
}

using searcher = tact::ref<tact::request<divisor_of>>;
searcher open_searcher(tact::engine& engine, std::uint64_t first) {
  return engine.create(tact::behavior<tact::request<divisor_of>>{
      [first](auto& self, const tact::request<divisor_of>& m) { self.reply(m, search(self, m.body.number, first)); }});
}
searcher open_broken(tact::engine& engine) {
  return engine.create(tact::behavior<tact::request<divisor_of>>{
      [](auto&, const tact::request<divisor_of>&) { throw std::runtime_error("out of order"); }});
}

// What comes of a request that may fail.
template <class Service, class Query>
bool fails_as_broken(tact::engine& engine, Service service, Query query) {
  try {
    static_cast<void>(engine.ask(service, query));
    return false;
  } catch (const tact::ask_error& e) {
    std::printf("%llu: %s\n", static_cast<unsigned long long>(query.number), e.what());
    return e.reason() == tact::failure_reason::handler_threw;
  }
}

// Each of the actors answers true when it finds none.
std::vector<tact::ref<tact::request<has_no_divisor>>> open_checks(tact::engine& engine, bool with_a_broken_one) {
  std::vector<tact::ref<tact::request<has_no_divisor>>> all;
  for (std::uint64_t i = 0; i != searchers; ++i) {
    all.push_back(engine.create(tact::behavior<tact::request<has_no_divisor>>{
        [i, breaks = with_a_broken_one && i == 2](auto& self, const tact::request<has_no_divisor>& m) {
          if (breaks) throw std::runtime_error("out of order");
          self.reply(m, search(self, m.body.number, i) == 0);
        }}));
  }
  return all;
}

}  // namespace

int main() {
  constexpr std::uint64_t prime = 2'147'483'647;
  constexpr std::uint64_t composite = 46'337 * std::uint64_t{46'337};
  tact::engine_options options;
  options.on_failure = [](const tact::failure_report&) {};  // what fails is told to those who ask
  tact::engine engine(options);
  bool right = true;

  // One divisor is enough.
  std::vector<searcher> all;
  for (std::uint64_t i = 0; i != searchers; ++i) all.push_back(open_searcher(engine, i));
  const auto any = engine.create(tact::or_in_parallel<divisor_of>(all), tact::parallel);
  right = right && engine.ask(any, divisor_of{composite}) == 46'337 && engine.ask(any, divisor_of{prime}) == 0;

  // A number whose divisors another actor finds, and one of which nobody knows.
  all.back() = open_broken(engine);
  const auto three = engine.create(tact::or_in_parallel<divisor_of>(all), tact::parallel);
  right = right && engine.ask(three, divisor_of{20}) % 2 == 0 && fails_as_broken(engine, three, divisor_of{prime});

  // All must say that there is no divisor: here one failure is enough.
  const auto is_prime = engine.create(tact::and_in_parallel<has_no_divisor>(open_checks(engine, false)));
  right = right && engine.ask(is_prime, has_no_divisor{prime}) && !engine.ask(is_prime, has_no_divisor{composite});
  const auto unsure = engine.create(tact::and_in_parallel<has_no_divisor>(open_checks(engine, true)));
  right = right && fails_as_broken(engine, unsure, has_no_divisor{prime});

  std::printf("%s\n", right ? "all as it should be" : "something is wrong");
  return right ? 0 : 1;
}
