// A handler that computes for long commits between its steps: what it has sent leaves, and others have their turn.
#include <atomic>
#include <tact/tact.hpp>

struct count_primes {
  using reply = int;
  int below;
};
struct progress {
  int numbers;
};

int main() {
  std::atomic<int> last_progress{0};
  tact::engine engine;
  const auto display =
      engine.create(tact::behavior<progress>{[&](auto&, const progress& m) { last_progress = m.numbers; }});
  const auto counter = engine.create(tact::behavior<tact::request<count_primes>>{[=](auto& self, const auto& m) {
    int found = 0;
    for (int n = 2; n < m.body.below; ++n) {
      int d = 2;
      while (d * d <= n && n % d != 0) ++d;
      found += d * d > n ? 1 : 0;
      if (n % 1'000 != 0) continue;
      self.send(display, progress{n});
      self.commit();
    }
    self.reply(m, found);
  }});
  const int found = engine.ask(counter, count_primes{10'000});
  engine.wait_idle();
  return found == 1229 && last_progress == 9'000 ? 0 : 1;
}
