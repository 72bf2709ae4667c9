// error: tact: the function that orders the mailbox takes no message of this actor
#include "account.hpp"

void f(tact::engine& engine, tact::behavior<account> b) {
  const auto by_length = [](const std::string& m) { return m.size(); };
  static_cast<void>(engine.create(std::move(b), tact::by_priority(by_length)));  // here
}
