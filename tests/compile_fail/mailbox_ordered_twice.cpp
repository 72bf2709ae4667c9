// error: tact: a mailbox has one order
#include "account.hpp"

void f(tact::engine& engine, tact::behavior<account> b) {
  const auto now = [](const deposit&) { return std::chrono::steady_clock::now(); };
  const auto first = tact::by_priority(tact::handled_first<deposit>);
  static_cast<void>(engine.create(std::move(b), first, tact::by_deadline(now)));  // here
}
