// An address that a handler gives away by a side effect, before its run has committed, does no harm.
#include <mutex>

#include "support/engine_fixture.hpp"

namespace leaked_address_test {

namespace {

using namespace tact::support;

struct make {};
struct poke {};

// The address that was given away last. It is told a limited number of times: an engine whose actors are sent messages
// without end is never idle, and the test waits for that.
class leak {
 public:
  void put(tact::ref<poke> r) {
    const std::lock_guard lock(mutex_);
    last_ = r;
    left_ = 500;
  }
  tact::ref<poke> read() {
    const std::lock_guard lock(mutex_);
    if (left_ == 0) return {};
    --left_;
    return last_;
  }

 private:
  std::mutex mutex_;
  tact::ref<poke> last_;
  unsigned left_ = 0;
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
      case 0:
        made = self.create(open_child(2), tact::parallel);
        break;
      case 1:
        made = self.create(open_child(2));
        break;
      case 2:
        made = self.create(open_child(2), tact::heavy);
        break;
      case 3:
        made = self.template spawn<worn>(tact::heavy);
        break;
      case 4:
        made = self.beta([kept = tracked{}](tact::transaction&, const poke&) {});
        break;
      default:
        made = self.create(open_child(0), tact::blocking);
    }
    out.put(made);
    // Installing these takes a while, in which the first one can be found.
    for (int i = 0; i < 500; ++i) static_cast<void>(self.beta([](tact::transaction&, const poke&) {}));
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
    std::thread gossip([&] {
      while (!over) {
        if (const auto r = out.read())
          engine.send(r, poke{});
        else
          std::this_thread::yield();
      }
    });
    const auto until = std::chrono::steady_clock::now() + generous;
    const auto enough = [&] {  // whether runs collide is up to the system
      if (workers != 4 || std::chrono::steady_clock::now() >= until) return true;
      return engine.statistics().collisions != 0;
    };
    for (unsigned i = 0; i < static_cast<unsigned>(scaled(300)) || !enough(); ++i) {
      // A new one each time: after a few collisions it would be handled at home, and collide no more.
      const auto p = engine.create(open_parent(out, i), tact::parallel);
      for (int n = 0; n < 4; ++n) engine.send(p, make{}, tact::spread);
      CHECK(engine.wait_idle(generous));
    }
    over = true;
    gossip.join();
    require_idle(engine);
    if (workers == 4) CHECK(engine.statistics().collisions != 0);
  }
}

}  // namespace leaked_address_test
