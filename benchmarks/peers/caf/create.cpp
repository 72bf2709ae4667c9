// Create on CAF.
#include <atomic>

#include "peers/caf/system.hpp"

namespace bench {
namespace {

class short_lived : public caf::event_based_actor {
 public:
  short_lived(caf::actor_config& config, std::atomic<std::uint64_t>* handled)
      : event_based_actor(config), handled_(handled) {}
  caf::behavior make_behavior() override {
    return {[this](std::uint64_t) {
      handled_->fetch_add(1, std::memory_order_relaxed);
      quit();
    }};
  }

 private:
  std::atomic<std::uint64_t>* handled_;
};

using next_batch = caf::atom_constant<caf::atom("next")>;

class maker : public caf::event_based_actor {
 public:
  maker(caf::actor_config& config, std::uint64_t batch, std::uint64_t batches, std::atomic<std::uint64_t>* handled)
      : event_based_actor(config), batch_(batch), left_(batches), handled_(handled) {}
  caf::behavior make_behavior() override {
    return {[this](next_batch) {
      for (std::uint64_t i = 0; i < batch_; ++i) send(spawn<short_lived, caf::lazy_init>(handled_), i);
      if (--left_ == 0) return quit();
      send(this, next_batch::value);
    }};
  }

 private:
  std::uint64_t batch_;
  std::uint64_t left_;
  std::atomic<std::uint64_t>* handled_;
};

int run(program& p) {
  const auto batch = p.number("batch", 1000, 10, "actors made by one message");
  const auto batches = p.number("batches", 300, 100, "times that it does so");
  caf_options options(p);
  options.set("scheduler.max-throughput", std::int64_t{1});  // else all are made before the first of them runs
  p.ready();

  std::atomic<std::uint64_t> handled = 0;
  caf::actor_system system(options);
  stopwatch watch;
  caf::anon_send(system.spawn<maker>(batch, batches, &handled), next_batch::value);
  system.await_all_actors_done();
  watch.stop();

  p.check_equal(handled, batch * batches, "messages handled");
  return p.report(watch, batch * batches);
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  bench::program p(argc, argv, "Create: one actor makes others; each gets one message, and ends.",
                   bench::caf_runtime());
  return bench::run(p);
}
