// Three ways to end one actor: by itself, by a poison pill from outside, by its last owner.
#include <tact/tact.hpp>

struct job {};
struct quit {};
struct worker : tact::protocol<job, quit> {};
struct worker_of_others : tact::protocol<worker, tact::poison_pill> {};

class classic_worker : public tact::actor<classic_worker, job> {
 public:
  void receive(tact::self<classic_worker>&, const job&) {}
};

template <class P>
static tact::behavior<P> hire() {
  return {[](auto&, const job&) {}, [](tact::self<P>& self, const quit&) { self.stop(); }};
}

int main() {
  tact::engine engine;
  engine.create(hire<worker>()) | job{} | quit{};
  engine.create(hire<worker_of_others>()) | job{} | tact::finished_msg.because("nothing is left to do");
  engine.spawn<classic_worker>() | job{} | tact::finished_msg;
  {
    const tact::owner<worker> mine = engine.create(hire<worker>(), tact::owned);
    engine.send(mine.ref(), job{});
  }
  engine.wait_finished();
  return engine.statistics().dead_letters == 0 ? 0 : 1;
}
