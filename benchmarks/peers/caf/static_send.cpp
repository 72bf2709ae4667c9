// Static send on CAF.
#include "peers/caf/system.hpp"

namespace bench {
namespace {

class repeater : public caf::event_based_actor {
 public:
  repeater(caf::actor_config& config, std::uint64_t sends, std::uint64_t* handled)
      : event_based_actor(config), sends_(sends), handled_(handled) {}

  caf::behavior make_behavior() override {
    return {[this](std::uint64_t count) {
      ++*handled_;
      if (count == sends_) return quit();
      send(this, count + 1);
    }};
  }

 private:
  std::uint64_t sends_;
  std::uint64_t* handled_;
};

int run(program& p) {
  const auto sends = p.number("sends", 5'000'000, 10'000, "times that it sends");
  caf_options options(p);
  p.ready();

  std::uint64_t handled = 0;
  caf::actor_system system(options);
  const auto to = system.spawn<repeater>(sends, &handled);

  stopwatch watch;
  caf::anon_send(to, std::uint64_t{0});
  system.await_all_actors_done();
  watch.stop();

  p.check_equal(handled, sends + 1, "messages handled");
  return p.report(watch, sends + 1);
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  bench::program p(argc, argv, "Static send: one actor sends one message to itself.", bench::caf_runtime());
  return bench::run(p);
}
