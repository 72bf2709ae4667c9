// Sends a message later, again and again, and takes a timer back.
#include <chrono>
#include <tact/tact.hpp>

struct start {};
struct tick {};

class clock_actor : public tact::actor<clock_actor, start, tick> {
 public:
  explicit clock_actor(int& ticks) : ticks_(ticks) {}
  void receive(tact::self<clock_actor>& self, const start&) {
    every_ = self.send_every(std::chrono::milliseconds(1), self.ref(), tick{});
  }
  void receive(tact::self<clock_actor>& self, const tick&) {
    if (++ticks_ < 3) return;
    every_.cancel();
    self.stop();
  }

 private:
  int& ticks_;
  tact::timer every_;
};

int main() {
  int ticks = 0;
  tact::engine engine;
  const auto clock = engine.spawn<clock_actor>(ticks);
  const auto never = engine.send_after(std::chrono::hours(1), clock, tick{});
  engine.send_after(std::chrono::milliseconds(1), clock, start{});
  engine.wait_finished();
  return ticks == 3 && never.cancel() ? 0 : 1;
}
