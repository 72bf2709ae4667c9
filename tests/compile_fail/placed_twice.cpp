// error: tact: an actor has one placement
#include "account.hpp"

void f(tact::engine& engine, tact::behavior<account> b) {
  static_cast<void>(engine.create(std::move(b), tact::heavy, tact::blocking));  // here
}
