// A service on the other side of an unreliable line, and what stands before it: a limit for each request, a breaker
// that leaves the line alone when it is down, attempts that are repeated, and a throttle, because the service takes no
// more than a hundred requests a second. All of it in virtual time, so that a minute takes none.
#include <chrono>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <tact/patterns/circuit_breaker.hpp>
#include <tact/patterns/debounce.hpp>
#include <tact/patterns/opening_gate.hpp>
#include <tact/patterns/retry.hpp>
#include <tact/patterns/throttle.hpp>
#include <tact/patterns/timeout.hpp>
#include <tact/simulation.hpp>
#include <tact/tact.hpp>

namespace {

using namespace std::chrono_literals;

struct lookup {
  using reply = int;
  int key;
};
using request = tact::request<lookup>;
struct typed {
  int letters;
};

// Does not answer while the line is down.
tact::behavior<request> open_line(const bool& is_down, int& asked) {
  return {[&](auto& self, const request& m) {
    ++asked;
    is_down ? self.defer(m) : self.reply(m, m.body.key * 2);
  }};
}

}  // namespace

int main() {
  bool is_down = false;
  int asked = 0;
  int searched = 0;
  tact::simulation sim(1);
  auto& engine = sim.engine();

  // Each relay is a service as well, so they are put before one another.
  const tact::ref<request> line = engine.create(open_line(is_down, asked));
  const tact::ref<request> limited = engine.create(tact::timeout(line, 100ms));
  const tact::ref<request> breaker =
      engine.create(tact::circuit_breaker(limited, {.failures = 3, .window = 3, .open_time = 5s}));
  const tact::ref<request> stubborn = engine.create(tact::retry(breaker, {.attempts = 4, .first_delay = 50ms}));
  const tact::ref<request> service = engine.create(tact::throttle(stubborn, {.messages = 100, .per = 1s, .burst = 5}));

  bool is_right = engine.ask(service, lookup{21}) == 42;

  is_down = true;  // three attempts wait in vain, and the fourth finds the breaker open
  try {
    engine.ask(service, lookup{1});
    is_right = false;
  } catch (const tact::ask_error& e) {
    std::cout << "the line is down: " << e.what() << '\n';
  }
  is_right = is_right && asked == 4;

  is_down = false;
  sim.advance(5s);  // then one request is let through as a trial
  is_right = is_right && engine.ask(service, lookup{2}) == 4;

  // Somebody types, and only what stands there at last is searched for.
  const auto search = engine.create(tact::behavior<typed>{[&](auto&, const typed& m) { searched += m.letters; }});
  const auto box = engine.create(tact::debounce(search, 300ms));
  for (int letters = 1; letters <= 5; ++letters) {
    engine.send(box, typed{letters});
    sim.advance(100ms);
  }
  sim.advance(300ms);
  is_right = is_right && searched == 5;

  // What comes in the first burst is passed on together.
  const auto gate = engine.create(tact::opening_gate(search, 20ms));
  for (int i = 0; i < 3; ++i) engine.send(gate, typed{10});
  sim.run();
  is_right = is_right && searched == 5;
  sim.advance(20ms);
  is_right = is_right && searched == 35;

  std::cout << (is_right ? "as it should be\n" : "wrong\n");
  sim.end();
  return is_right ? 0 : 1;
}
