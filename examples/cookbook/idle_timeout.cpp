// A conversation ends when nothing was said for five minutes. In a simulation these take no time.
#include <chrono>
#include <tact/tact.hpp>

struct line {};
struct silence {};

class conversation : public tact::actor<conversation, line, silence> {
 public:
  void receive(tact::self<conversation>& self, const line&) { self.idle_after(std::chrono::minutes(5), silence{}); }
  void receive(tact::self<conversation>& self, const silence&) { self.stop(); }
};

int main() {
  using namespace std::chrono_literals;
  tact::simulation sim(1);
  const auto talk = sim.engine().spawn<conversation>();
  talk | line{};
  sim.advance(4min);
  talk | line{};
  sim.advance(4min);
  const bool goes_on = sim.engine().statistics().actors_alive == 1;
  sim.advance(2min);
  return goes_on && sim.engine().statistics().actors_alive == 0 ? 0 : 1;
}
