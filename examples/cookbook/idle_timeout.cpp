// A conversation ends when nothing was said for five minutes. In a simulation these take no time.
#include <chrono>
#include <tact/tact.hpp>

struct line {};
struct silence {
  int lines;
};

class conversation : public tact::actor<conversation, line, silence> {
 public:
  void receive(tact::self<conversation>& self, const line&) {
    limit_.cancel();
    limit_ = self.send_after(std::chrono::minutes(5), self.ref(), silence{++lines_});
  }
  void receive(tact::self<conversation>& self, const silence& m) {
    if (m.lines == lines_) self.stop();
  }

 private:
  int lines_ = 0;
  tact::timer limit_;
};

int main() {
  using namespace std::chrono_literals;
  tact::simulation sim(1);
  sim.engine().spawn<conversation>() | line{};
  sim.advance(4min);
  const bool goes_on = sim.engine().statistics().actors_alive == 1;
  sim.advance(2min);
  return goes_on && sim.engine().statistics().actors_alive == 0 ? 0 : 1;
}
