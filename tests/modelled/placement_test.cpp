// Where shards with a constant load end up, in virtual time.
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "modelled/programs.hpp"
#include "tact/tact.hpp"

namespace placement_test {

namespace {

using namespace tact::modelled_tests;

struct step {};
// Works without a pause, a step at a time, until all of them together have done their steps.
class steady : public tact::actor<steady, step> {
 public:
  steady(std::atomic<unsigned>& left, double ns) : left_(&left), ns_(ns) {}
  void receive(tact::self<steady>& self, const step&) {
    tact::model::spend_ns(ns_);
    if (left_->fetch_sub(1) > self_left) self.send(self.ref(), step{});
  }
  static constexpr unsigned self_left = 1'000;  // more than there are actors

 private:
  std::atomic<unsigned>* left_;
  double ns_;
};

struct outcome {
  double ns = 0;
  std::uint64_t moves = 0;
};

// All actors begin in shards of the first worker, each in a shard of its own, and work for so long in all.
outcome run_steady(unsigned workers, unsigned actors, double all_ns, double step_ns) {
  outcome all;
  const std::string machine = "l3:1 core:" + std::to_string(workers) + " pu:1";
  all.ns = ns_of({.machine = machine, .seed = actors}, [&] {
    std::atomic<unsigned> left = static_cast<unsigned>(all_ns / step_ns) + steady::self_left;
    tact::engine e({.workers = workers, .shards = workers * actors});
    std::vector<tact::ref<step>> working;
    for (unsigned i = 0; i < workers * actors; ++i) {  // actors go round over the workers
      const auto made = e.spawn<steady>(left, step_ns);
      if (i % workers == 0) working.push_back(made);
    }
    for (const auto to : working) e.send(to, step{});
    e.wait_idle();
    for (const auto& w : e.worker_statistics()) all.moves += w.shards_stolen + w.shards_returned;
  });
  return all;
}

constexpr double little_ns = 1'000'000;  // to begin, and to find the first placement

}  // namespace

TEST_CASE("model: with equal shards that were all on one worker, all workers come to do what they can", "[modelled]") {
  constexpr double all_ns = 100'000'000;
  for (const unsigned workers : {2u, 4u, 8u}) {
    for (const unsigned actors : {1u, workers, workers + 1, 2 * workers, 3 * workers + 1}) {
      const outcome got = run_steady(workers, actors, all_ns, 50'000);
      INFO(workers << " workers, " << actors << " shards: " << got.ns << " ns, " << got.moves << " moves");
      CHECK(got.ns < 1.05 * all_ns / std::min(workers, actors) + little_ns);
    }
  }
}

TEST_CASE("model: where each worker has one shard with a steady load, shards soon move no more", "[modelled]") {
  for (const unsigned workers : {2u, 4u, 8u}) {
    for (const double step_ns : {500.0, 5'000.0, 50'000.0}) {
      const double each_ns = 20'000'000;
      const outcome some = run_steady(workers, workers, workers * each_ns, step_ns);
      const outcome more = run_steady(workers, workers, 4 * workers * each_ns, step_ns);
      INFO(workers << " workers, steps of " << step_ns << " ns: " << some.moves << " moves in " << some.ns << " ns, "
                   << more.moves << " in " << more.ns << " ns");
      CHECK(some.moves <= 8 * workers);
      CHECK(more.moves <= 12 * workers);
    }
  }
}

}  // namespace placement_test
