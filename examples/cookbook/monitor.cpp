// Is told when an actor ends, and why.
#include <stdexcept>
#include <string>
#include <tact/tact.hpp>

struct job {};

class worker : public tact::actor<worker, job> {
 public:
  [[noreturn]] void receive(tact::self<worker>&, const job&) { throw std::runtime_error("no paper"); }
};

int main() {
  std::string why;
  tact::engine engine({.on_failure = [](const tact::failure_report&) {}});
  const auto printer = engine.spawn<worker>();
  const auto watcher = engine.create(tact::behavior<tact::ended>{[&why, printer](auto&, const tact::ended& m) {
    if (m.was(printer) && m.reason == tact::end_reason::failed) why = m.what;
  }});
  engine.monitor(printer, watcher);
  engine.send(printer, job{});
  engine.wait_idle();
  return why == "no paper" ? 0 : 1;
}
