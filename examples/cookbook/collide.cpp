// A parallel actor whose runs collide: no deposit is lost, and what must happen once is done behind the commit.
#include <atomic>
#include <tact/tact.hpp>

struct deposit {
  int cents;
};
struct balance {
  using reply = int;
};
struct account : tact::protocol<deposit, tact::request<balance>> {};

static std::atomic<int> receipts = 0;

static tact::behavior<account> open_account(int cents) {
  return {[=](tact::self<account>& self, const deposit& m) {
            self.become(open_account(cents + m.cents));
            self.on_commit([] { ++receipts; });  // and not ++receipts here: this run may be repeated
          },
          [=](auto& self, const tact::request<balance>& m) { self.reply(m, cents); }};
}

int main() {
  tact::engine engine;
  const auto a = engine.create(open_account(0), tact::parallel);
  for (int i = 0; i < 10'000; ++i) engine.send(a, deposit{1});
  engine.wait_idle();
  return engine.ask(a, balance{}) == 10'000 && receipts == 10'000 ? 0 : 1;
}
