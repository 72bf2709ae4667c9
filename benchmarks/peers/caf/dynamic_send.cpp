// Dynamic send on CAF.
#include <atomic>

#include "peers/caf/system.hpp"

namespace bench {
namespace {

// Actors made and destroyed. One at a time makes another, but several threads may destroy them.
struct tally {
  std::uint64_t made = 0;
  std::atomic<std::uint64_t> destroyed = 0;
};

class link : public caf::event_based_actor {
 public:
  link(caf::actor_config& config, std::uint64_t sends, tally* all)
      : event_based_actor(config), sends_(sends), all_(all) {
    ++all_->made;
  }
  ~link() override { ++all_->destroyed; }

  caf::behavior make_behavior() override {
    return {[this](std::uint64_t count) {
      if (count != sends_) send(spawn<link, caf::lazy_init>(sends_, all_), count + 1);
      quit();
    }};
  }

 private:
  std::uint64_t sends_;
  tally* all_;
};

int run(program& p) {
  const auto sends = p.number("sends", 1'000'000, 10'000, "actors made by actors");
  caf_options options(p);
  p.ready();

  tally all;
  stopwatch watch;
  {
    caf::actor_system system(options);
    watch = stopwatch();
    caf::anon_send(system.spawn<link, caf::lazy_init>(sends, &all), std::uint64_t{0});
    system.await_all_actors_done();
    watch.stop();
  }
  p.check_equal(all.made, sends + 1, "actors made");
  p.check_equal(all.destroyed, sends + 1, "actors destroyed");
  return p.report(watch, sends + 1);
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  bench::program p(argc, argv, "Dynamic send: each actor makes the next one, and ends.", bench::caf_runtime());
  return bench::run(p);
}
