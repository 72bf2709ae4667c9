// Three ways to end one actor: by itself, by a poison pill, by its last owner.
#include <tact/tact.hpp>

struct job {};
struct quit {};
struct worker : tact::protocol<job, quit> {};

class classic_worker : public tact::actor<classic_worker, job> {
 public:
  void receive(tact::self<classic_worker>&, const job&) {}
};

static tact::behavior<worker> hire() {
  return {[](auto&, const job&) {}, [](tact::self<worker>& self, const quit&) { self.stop(); }};
}

int main() {
  tact::engine engine;
  engine.create(hire()) | job{} | quit{};
  engine.spawn<classic_worker>() | job{} | tact::finished_msg;
  {
    const tact::owner<worker> mine = engine.create(hire(), tact::owned);
    engine.send(mine.ref(), job{});
  }
  engine.wait_finished();
  return engine.statistics().dead_letters == 0 ? 0 : 1;
}
