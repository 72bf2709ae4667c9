// Static send on threads.
#include <latch>

#include "peers/threads/pool.hpp"

namespace bench {
namespace {

using ticks = pool<std::uint64_t>;

class repeater : public ticks::actor {
 public:
  repeater(std::uint64_t sends, std::latch& done) : sends_(sends), done_(done) {}
  void receive(ticks& from, const std::uint64_t& count) override {
    ++handled;
    if (count == sends_) return done_.count_down();
    from.send(*this, count + 1);
  }
  std::uint64_t handled = 0;

 private:
  std::uint64_t sends_;
  std::latch& done_;
};

int run(program& p) {
  const auto sends = p.number("sends", 20'000'000, 10'000, "times that it sends");
  p.ready();

  std::latch done(1);
  repeater repeats(sends, done);
  ticks threads(p.threads());
  threads.place(repeats);

  stopwatch watch;
  threads.send(repeats, 0);
  done.wait();
  watch.stop();

  p.check_equal(repeats.handled, sends + 1, "messages handled");
  return p.report(watch, sends + 1);
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  bench::program p(argc, argv, "Static send: one actor sends one message to itself.", bench::pool_runtime);
  return bench::run(p);
}
