// Writes the trace of a small program as JSON to the standard output: see chrome_json_test.py.
#include <chrono>
#include <iostream>
#include <stdexcept>

#include "tact/inspect/recorder.hpp"
#include "tact/tact.hpp"

namespace {

struct work {
  int left;
};
struct quoted {};
struct half {
  using reply = int;
  int of;
};

}  // namespace

int main() {
  tact::engine_options options;
  options.workers = 2;
  options.on_failure = [](const tact::failure_report&) {};
  tact::engine engine(options);
  tact::inspect::recorder recorder(engine);
  const auto service = engine.create(tact::behavior<tact::request<half>>(
      [](auto& self, const tact::request<half>& m) { self.reply(m, m.body.of / 2); }));
  const auto failing = engine.create(tact::behavior<quoted>([](auto& self, const quoted&) {
    self.note("a \"quoted\" text\nof two lines");
    self.note("no UTF-8: \xff\xc3");
    throw std::runtime_error("on purpose");
  }));
  const auto worker = engine.create(tact::behavior<work>([=](auto& self, const work& m) {
                                      static_cast<void>(self.ask(service, half{m.left}));
                                      if (m.left % 10 == 0) self.send(failing, quoted{});
                                      if (m.left != 0) self.send(self.ref(), work{m.left - 1});
                                    }),
                                    tact::parallel);
  // A timer's message has a cause, and is sent by a thread that runs no handler.
  const auto ring = engine.create(tact::behavior<quoted>(
      [=](auto& self, const quoted&) { self.send_after(std::chrono::milliseconds(1), worker, work{0}); }));
  engine.send(ring, quoted{});
  for (int n = 0; n < 4; ++n) engine.send(worker, work{50});
  while (engine.statistics().timers_fired == 0) engine.wait_idle();
  engine.wait_idle();
  recorder.read().write_chrome_json(std::cout);
}
