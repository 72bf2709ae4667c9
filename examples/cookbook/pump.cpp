// An engine without workers: this thread runs the handlers, a few at a time, between its own work.
#include <tact/tact.hpp>

struct count_down {
  int left;
};

int main() {
  tact::engine engine({.workers = 0});
  const auto counter = engine.create(tact::behavior<count_down>{[](tact::self<count_down>& self, const count_down& m) {
    if (m.left > 0) self.send(self.ref(), count_down{m.left - 1});
  }});
  engine.send(counter, count_down{99});
  std::size_t handled = 0;
  for (bool more = true; more;) {
    const tact::pumped turn = engine.pump(10);
    handled += turn.handled;
    more = turn.more;
    // the program's own work
  }
  return handled == 100 ? 0 : 1;
}
