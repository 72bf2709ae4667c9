// Handlers that compute for long: each of these actors has a shard of its own, and delays no other actor.
#include <tact/future.hpp>
#include <tact/tact.hpp>

struct count_primes {
  using reply = int;
  int from;
  int to;
};
using counter = tact::request<count_primes>;

static tact::behavior<counter> hire() {
  return {[](auto& self, const counter& m) {
    int found = 0;
    for (int n = m.body.from; n < m.body.to; ++n) {
      int d = 2;
      while (d * d <= n && n % d != 0) ++d;
      found += d * d > n ? 1 : 0;
    }
    self.reply(m, found);
  }};
}

int main() {
  tact::engine engine;
  auto low = engine.ask_future(engine.create(hire(), tact::heavy), count_primes{2, 5'000});
  auto high = engine.ask_future(engine.create(hire(), tact::heavy), count_primes{5'000, 10'000});
  return low.get() + high.get() == 1229 ? 0 : 1;
}
