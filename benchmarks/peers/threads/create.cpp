// Create on threads.
#include <atomic>
#include <latch>

#include "peers/threads/pool.hpp"

namespace bench {
namespace {

using numbers = pool<std::uint64_t>;

struct tally {
  std::uint64_t batch;
  std::uint64_t left;  // batches
  std::uint64_t ended = 0;
  std::latch done{1};
};

class short_lived : public numbers::actor {
 public:
  explicit short_lived(tally& all) : all_(all) {}
  void receive(numbers&, const std::uint64_t&) override {
    if (++all_.ended == all_.batch && all_.left == 0) all_.done.count_down();
    delete this;
  }

 private:
  tally& all_;
};

// Those that it makes belong to its thread: all of them count in one place.
class maker : public numbers::actor {
 public:
  explicit maker(tally& all) : all_(all) {}
  void receive(numbers& from, const std::uint64_t&) override {
    wrong += all_.ended != (began_ ? all_.batch : 0);
    began_ = true;
    all_.ended = 0;
    --all_.left;
    for (std::uint64_t i = 0; i < all_.batch; ++i) {
      auto* made = new short_lived(all_);
      numbers::place_beside(*made, *this);
      from.send(*made, i);
    }
    if (all_.left != 0) from.send(*this, 0);
  }
  std::uint64_t wrong = 0;

 private:
  tally& all_;
  bool began_ = false;
};

int run(program& p) {
  const auto batch = p.number("batch", 1000, 10, "actors made by one message");
  const auto batches = p.number("batches", 10'000, 100, "times that it does so");
  p.ready();

  tally all{batch, batches};
  maker makes(all);
  numbers threads(p.threads());
  threads.place(makes);

  stopwatch watch;
  threads.send(makes, 0);
  all.done.wait();
  watch.stop();

  p.check_equal(makes.wrong, 0, "batches that had not ended before the next");
  return p.report(watch, batch * batches);
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  bench::program p(argc, argv, "Create: one actor makes others; each gets one message, and ends.", bench::pool_runtime);
  return bench::run(p);
}
