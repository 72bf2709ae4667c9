// Dynamic send on threads: actors are allocated, and delete themselves.
#include <latch>
#include <memory>

#include "peers/threads/pool.hpp"

namespace bench {
namespace {

using ticks = pool<std::uint64_t>;

// One at a time makes another, and then ends.
struct tally {
  std::uint64_t sends;
  std::latch done{1};
  std::uint64_t made = 0;
  std::uint64_t destroyed = 0;
};

class link : public ticks::actor {
 public:
  explicit link(tally& all) : all_(all) { ++all_.made; }
  ~link() override { ++all_.destroyed; }
  void receive(ticks& from, const std::uint64_t& count) override {
    const std::unique_ptr<link> ends(this);
    if (count == all_.sends) return all_.done.count_down();
    auto* next = new link(all_);
    ticks::place_beside(*next, *this);
    from.send(*next, count + 1);
  }

 private:
  tally& all_;
};

int run(program& p) {
  tally all{p.number("sends", 10'000'000, 10'000, "actors made by actors")};
  p.ready();

  stopwatch watch;
  {
    ticks threads(p.threads());
    auto* first = new link(all);
    threads.place(*first);
    watch = stopwatch();
    threads.send(*first, 0);
    all.done.wait();
    watch.stop();
  }
  p.check_equal(all.made, all.sends + 1, "actors made");
  p.check_equal(all.destroyed, all.sends + 1, "actors destroyed");
  return p.report(watch, all.sends + 1);
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  bench::program p(argc, argv, "Dynamic send: each actor makes the next one, and ends.", bench::pool_runtime);
  return bench::run(p);
}
