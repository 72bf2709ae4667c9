// error: tact: a parallel actor handles messages in no promised order
#include "account.hpp"

void f(tact::engine& engine, tact::behavior<account> b) {
  static_cast<void>(
      engine.create(std::move(b), tact::parallel, tact::by_priority(tact::handled_first<deposit>)));  // here
}
