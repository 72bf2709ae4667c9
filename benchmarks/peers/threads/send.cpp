// Send on threads.
#include <latch>
#include <vector>

#include "peers/threads/pool.hpp"

namespace bench {
namespace {

using tokens = pool<std::uint64_t>;

class relay : public tokens::actor {
 public:
  explicit relay(std::latch& done) : done_(done) {}
  void receive(tokens& threads, const std::uint64_t& left) override {
    ++handled;
    if (left == 0) return done_.count_down();
    threads.send(*next, left - 1);
  }
  relay* next = nullptr;
  std::uint64_t handled = 0;

 private:
  std::latch& done_;
};

int run(program& p) {
  const auto actors = p.number("actors", 64, 8, "actors, each with a token");
  const auto each = p.number("hops", 200'000, 1000, "messages of a token");
  p.ready();

  std::latch done(static_cast<std::ptrdiff_t>(actors));
  std::vector<relay> relays(actors, relay(done));
  tokens threads(p.threads());
  for (std::size_t i = 0; i < actors; ++i) {
    relays[i].next = &relays[(i + 1) % actors];
    threads.place(relays[i]);
  }

  stopwatch watch;
  for (relay& r : relays) threads.send(r, each - 1);
  done.wait();
  watch.stop();

  std::uint64_t handled = 0;
  for (const relay& r : relays) handled += r.handled;
  p.check_equal(handled, actors * each, "messages handled");
  return p.report(watch, actors * each);
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  bench::program p(argc, argv, "Send: tokens go round a ring of actors.", bench::pool_runtime);
  return bench::run(p);
}
