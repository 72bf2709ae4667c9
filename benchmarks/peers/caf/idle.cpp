// Idle on CAF.
#include <atomic>
#include <thread>
#include <vector>

#include "peers/caf/system.hpp"

namespace bench {
namespace {

using nudge = caf::atom_constant<caf::atom("nudge")>;

class sleeper : public caf::event_based_actor {
 public:
  sleeper(caf::actor_config& config, std::atomic<std::uint64_t>* handled)
      : event_based_actor(config), handled_(handled) {}
  // The second message ends it.
  caf::behavior make_behavior() override {
    return {[this](nudge) {
      if (nudged_) quit();
      nudged_ = true;
      ++*handled_;
      handled_->notify_one();
    }};
  }

 private:
  std::atomic<std::uint64_t>* handled_;
  bool nudged_ = false;
};

int run(program& p) {
  const auto duration = std::chrono::milliseconds(p.number("ms", 1000, 20, "milliseconds without work"));
  caf_options options(p);
  p.ready();

  constexpr std::uint64_t actors = 64;
  std::atomic<std::uint64_t> handled = 0;
  caf::actor_system system(options);
  std::vector<caf::actor> refs;
  for (std::uint64_t i = 0; i < actors; ++i) refs.push_back(system.spawn<sleeper>(&handled));
  for (const auto& r : refs) caf::anon_send(r, nudge::value);
  for (std::uint64_t seen = 0; seen != actors; seen = handled) handled.wait(seen);

  stopwatch watch;
  std::this_thread::sleep_for(duration);
  watch.stop();

  for (const auto& r : refs) caf::anon_send(r, nudge::value);
  system.await_all_actors_done();
  p.check_equal(handled, 2 * actors, "messages before and after");
  return p.report(watch, 0);
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  bench::program p(argc, argv, "Idle: a runtime without work; what counts is its CPU time.", bench::caf_runtime());
  return bench::run(p);
}
