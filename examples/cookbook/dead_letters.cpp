// Hears of messages that no handler will see.
#include <atomic>
#include <tact/tact.hpp>

struct job {};

class temp : public tact::actor<temp, job> {
 public:
  tact::allocation receive(tact::self<temp>&, const job&) { return tact::allocation::finished; }
};

int main() {
  std::atomic<int> heard = 0;
  tact::engine engine({.on_dead_letter = [&](const tact::dead_letter&) { ++heard; }});
  const auto gone = engine.spawn<temp>(tact::named("temp"));
  gone | job{} | job{};
  engine.wait_idle();
  const auto letters = engine.dead_letters();
  return heard == 1 && letters.size() == 1 && letters[0].message == "job" &&
                 letters[0].reason == tact::failure_reason::target_ended
             ? 0
             : 1;
}
