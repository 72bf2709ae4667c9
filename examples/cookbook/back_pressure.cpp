// A thread that produces more quickly than an actor consumes waits for room in the actor's mailbox.
#include <algorithm>
#include <cstdint>
#include <tact/tact.hpp>

struct part {
  int number;
};

int main() {
  long sum = 0;
  std::uint64_t most = 0;
  tact::engine engine;
  const auto consumer = engine.create(tact::behavior<part>{[&sum](auto&, const part& m) { sum += m.number; }},
                                      tact::mailbox_limit{.messages = 10, .when_full = tact::when_full::hold_back});
  for (int i = 1; i <= 1000; ++i) {
    engine.send(consumer, part{i});  // waits while ten parts wait
    most = std::max(most, engine.fullest_mailboxes(1).at(0).messages);
  }
  engine.wait_idle();
  return sum == 500'500 && most <= 10 ? 0 : 1;
}
