// Idle: an engine that has worked, and has nothing to do for a while. What counts is its CPU time.
#include <thread>
#include <vector>

#include "programs/engine.hpp"

namespace bench {
namespace {

struct nudge {};

class sleeper : public tact::actor<sleeper, nudge> {
 public:
  void receive(tact::self<sleeper>&, const nudge&) { ++handled; }
  std::uint64_t handled = 0;
};

int run(program& p) {
  const auto duration = std::chrono::milliseconds(p.number("ms", 1000, 20, "milliseconds without work"));
  const auto options = read_engine_options(p);
  p.ready();

  std::vector<sleeper> sleepers(64);
  std::vector<tact::ref<sleeper>> refs;
  tact::engine engine(options);
  for (sleeper& s : sleepers) refs.push_back(engine.attach(s));
  const auto wake_all = [&] {
    for (const auto r : refs) engine.send(r, nudge{});
    engine.wait_idle();
  };
  wake_all();

  stopwatch watch;
  std::this_thread::sleep_for(duration);
  watch.stop();

  wake_all();
  for (const sleeper& s : sleepers) p.check_equal(s.handled, 2, "messages before and after");
  check_engine(p, engine, 2 * sleepers.size());
  return p.report(watch, 0);
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  bench::program p(argc, argv, "Idle: an engine without work; what counts is its CPU time.", bench::tact_runtime);
  return bench::run(p);
}
