// error: ordered or parallel
#include <tuple>

#include "account.hpp"

tact::behavior<account> open(tact::ref<account> other);

void f(tact::engine& engine) {
  auto both = [](tact::ref<account> x, tact::ref<account> y) { return std::tuple{open(y), open(x)}; };
  static_cast<void>(engine.create_group(both, tact::blocking));  // here
}
