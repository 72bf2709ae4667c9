// error: tact::handled_first: it names a type that is no message of this actor
#include "account.hpp"

void f(tact::engine& engine, tact::behavior<account> b) {
  // A request is named as the protocol names it: tact::request<balance>.
  static_cast<void>(engine.create(std::move(b), tact::by_priority(tact::handled_first<deposit, balance>)));  // here
}
