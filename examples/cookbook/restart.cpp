// A sensor that fails is made anew in its place: its ref and what waits for it stay, and what it knew is gone.
#include <stdexcept>
#include <tact/patterns/supervisor.hpp>
#include <tact/tact.hpp>

struct reading {
  int celsius;
};
struct highest {
  using reply = int;
};
struct sensor : tact::protocol<reading, tact::request<highest>> {};

tact::behavior<sensor> open_sensor(int most = -273) {
  return {[=](tact::self<sensor>& self, const reading& m) {
            if (m.celsius < -273) throw std::invalid_argument("colder than cold");
            if (m.celsius > most) self.become(open_sensor(m.celsius));
          },
          [=](auto& self, const tact::request<highest>& m) { self.reply(m, most); }};
}

int main() {
  tact::engine engine;
  tact::supervisor all(engine, {.restarts = 10});
  const auto s = all.create(tact::restarting([] { return open_sensor(); }), tact::named("north"));
  s | reading{30} | reading{-500} | reading{20};  // a line on stderr says that it restarts
  const bool is_anew = engine.ask(s, highest{}) == 20;
  return is_anew && all.restarts() == 1 ? 0 : 1;
}
