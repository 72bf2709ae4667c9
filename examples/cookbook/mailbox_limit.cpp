// A mailbox for two messages: a third one finds no room. The engine has no workers, so that nothing is handled yet.
#include <tact/tact.hpp>

struct job {};

int main() {
  int done = 0;
  tact::engine engine({.workers = 0});
  const auto clerk = engine.create(tact::behavior<job>{[&done](auto&, const job&) { ++done; }},
                                   tact::mailbox_limit{.messages = 2, .when_full = tact::when_full::reject});
  if (engine.try_send(clerk, job{}) != tact::send_result::sent) return 1;
  if (engine.try_send(clerk, job{}) != tact::send_result::sent) return 1;
  if (engine.try_send(clerk, job{}) != tact::send_result::full) return 1;
  engine.send(clerk, job{});  // a dead letter
  engine.run_until_idle();
  return done == 2 && engine.statistics().refused == 1 && engine.try_send(clerk, job{}) == tact::send_result::sent ? 0
                                                                                                                   : 1;
}
