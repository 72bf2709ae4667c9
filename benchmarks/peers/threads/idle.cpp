// Idle on threads.
#include <latch>
#include <vector>

#include "peers/threads/pool.hpp"

namespace bench {
namespace {

using nudges = pool<std::latch*>;

class sleeper : public nudges::actor {
 public:
  void receive(nudges&, std::latch* const& done) override {
    ++handled;
    done->count_down();
  }
  std::uint64_t handled = 0;
};

int run(program& p) {
  const auto duration = std::chrono::milliseconds(p.number("ms", 1000, 20, "milliseconds without work"));
  p.ready();

  std::vector<sleeper> sleepers(64);
  nudges threads(p.threads());
  for (sleeper& s : sleepers) threads.place(s);
  const auto wake_all = [&] {
    std::latch done(static_cast<std::ptrdiff_t>(sleepers.size()));
    for (sleeper& s : sleepers) threads.send(s, &done);
    done.wait();
  };
  wake_all();

  stopwatch watch;
  std::this_thread::sleep_for(duration);
  watch.stop();

  wake_all();
  for (const sleeper& s : sleepers) p.check_equal(s.handled, 2, "messages before and after");
  return p.report(watch, 0);
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  bench::program p(argc, argv, "Idle: a runtime without work; what counts is its CPU time.", bench::pool_runtime);
  return bench::run(p);
}
