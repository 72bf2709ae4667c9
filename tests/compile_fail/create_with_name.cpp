// error: a name is a tag: create\(behaviour, tact::named
#include "account.hpp"

void f(tact::engine& engine, tact::behavior<account> b) {
  auto a = engine.create(std::move(b), "savings");  // here
}
