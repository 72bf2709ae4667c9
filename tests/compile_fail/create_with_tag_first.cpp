// error: the behaviour comes first, tags behind it
#include "account.hpp"

void f(tact::engine& engine, tact::behavior<account> b) {
  auto a = engine.create(tact::named("savings"), std::move(b));  // here
}
