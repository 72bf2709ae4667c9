// Runs until SIGINT or SIGTERM comes, or until the last actor has ended, as here.
#include <chrono>
#include <tact/tact.hpp>

struct stop {};

int main() {
  tact::engine engine;
  const auto server = engine.create(tact::behavior<stop>{[](tact::self<stop>& self, const stop&) { self.stop(); }});
  engine.send_after(std::chrono::milliseconds(1), server, stop{});
  return engine.run_until_signal_or_end();  // 0, or the number of the signal
}
