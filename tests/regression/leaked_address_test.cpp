// An address that a handler gives away by a side effect, before its run has committed, harms nobody.
#include <mutex>

#include "support/engine_fixture.hpp"

namespace {

using namespace tact::support;

struct make {};
struct poke {};

// The address that was given away last.
class leak {
 public:
  void put(tact::ref<poke> r) {
    const std::lock_guard lock(mutex_);
    last_ = r;
  }
  tact::ref<poke> take() {
    const std::lock_guard lock(mutex_);
    return std::exchange(last_, {});
  }

 private:
  std::mutex mutex_;
  tact::ref<poke> last_;
};

class worn : public tact::actor<worn, poke> {
 public:
  tact::allocation receive(tact::self<worn>&, const poke&) {
    return --left_ == 0 ? tact::allocation::delete_ : tact::allocation::nodelete;
  }

 private:
  tracked kept_;
  int left_ = 3;
};

struct child : tact::protocol<poke> {};
tact::behavior<child> open_child(int left) {
  return {[left, kept = tracked{}](tact::self<child>& self, const poke&) {
    left == 0 ? self.stop() : self.become(open_child(left - 1));
  }};
}

struct parent : tact::protocol<make> {};
tact::behavior<parent> open_parent(leak& out, unsigned turn) {
  return {[&out, turn](tact::self<parent>& self, const make&) {
    tact::ref<poke> made;
    switch (turn % 6) {
      case 0: made = self.create(open_child(2)); break;
      case 1: made = self.create(open_child(2), tact::ordered); break;
      case 2: made = self.create(open_child(2), tact::heavy); break;
      case 3: made = self.template spawn<worn>(tact::heavy); break;
      case 4: made = self.beta([kept = tracked{}](tact::transaction&, const poke&) {}); break;
      default: made = self.create(open_child(0), tact::blocking);
    }
    out.put(made);
    std::this_thread::yield();
    self.become(open_parent(out, turn + 1));
  }};
}

}  // namespace

TEST_CASE("commit: an address given away before the commit harms nobody, whatever becomes of the run", "[law1]") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  nothing_left check;
  leak out;
  std::atomic<bool> over{false};
  {
    auto options = quiet_options(workers);
    options.heavy_shards = 2;
    options.on_dead_letter = [](const tact::dead_letter&) {};
    tact::engine engine(options);
    const auto p = engine.create(open_parent(out, 0));
    std::thread gossip([&] {
      while (!over) {
        if (const auto r = out.take()) {
          for (int i = 0; i < 4; ++i) engine.send(r, poke{});
        }
      }
    });
    on_threads(2, [&](unsigned) {
      for (int i = 0; i < scaled(3'000); ++i) engine.send(p, make{}, tact::spread);
    });
    over = true;
    gossip.join();
    require_idle(engine);
  }
}
