// Looks at what an engine has counted.
#include <iostream>
#include <tact/tact.hpp>

struct job {};

int main() {
  tact::engine engine;
  const auto worker = engine.create(tact::behavior<job>{[](auto&, const job&) {}});
  for (int i = 0; i < 1000; ++i) engine.send(worker, job{});
  engine.wait_idle();  // the figures are exact when the engine is idle
  const tact::statistics now = engine.statistics();
  std::cout << now << engine.worker_statistics();
  return now.messages_sent == 1000 && now.commits == 1000 && now.in_flight() == 0 && now.actors_alive == 1 ? 0 : 1;
}
