// Makes one worker for each job, and adds up what the workers answer.
#include <tact/tact.hpp>

struct number {
  using reply = int;  // of a worker: its square; of the boss: the sum of all squares up to it
  int n;
};

static tact::behavior<tact::request<number>> hire() {
  return {[](auto& self, const tact::request<number>& m) {
    self.reply(m, m.body.n * m.body.n);
    self.stop();
  }};
}

struct boss : tact::actor<boss, tact::request<number>, int> {
  void receive(tact::self<boss>& self, const tact::request<number>& m) {
    customer = m.customer;
    left = m.body.n;
    for (int n = 1; n <= left; ++n) self.send(self.create(hire()), tact::request<number>{self.ref(), {n}});
    self.defer(m);
  }
  void receive(tact::self<boss>& self, int square) {
    sum += square;
    if (--left == 0) self.send(customer, sum);
  }

  tact::ref<int> customer;
  int left = 0, sum = 0;
};

int main() {
  tact::engine engine;
  return engine.ask(engine.spawn<boss>(), number{10}) == 385 ? 0 : 1;
}
