// Dynamic send: each actor makes a new actor and a new message for it, sends, and ends. Source: C∀.
#include <atomic>

#include "programs/engine.hpp"

namespace bench {
namespace {

struct tick {
  std::uint64_t count;
};
// Really allocated, and deleted by the engine once it was handled.
struct new_tick : tact::message {
  new_tick(std::uint64_t n, std::atomic<std::uint64_t>* destroyed)
      : message(tact::allocation::delete_), count(n), destroyed_(destroyed) {}
  ~new_tick() {
    if (destroyed_ != nullptr) ++*destroyed_;
  }
  std::uint64_t count;

 private:
  std::atomic<std::uint64_t>* destroyed_;
};

// Destructors are counted in tiny runs only: null otherwise.
struct chain {
  std::uint64_t sends;
  std::atomic<std::uint64_t>* destroyed;
};

class link : public tact::actor<link, tick> {
 public:
  explicit link(const chain& of) : chain_(of) {}
  ~link() {
    if (chain_.destroyed != nullptr) ++*chain_.destroyed;
  }
  tact::allocation receive(tact::self<link>& self, const tick& m) {
    if (m.count != chain_.sends) self.send(self.spawn<link>(chain_), tick{m.count + 1});
    return tact::allocation::delete_;
  }

 private:
  const chain& chain_;
};

class allocating_link : public tact::actor<allocating_link, new_tick> {
 public:
  explicit allocating_link(const chain& of) : chain_(of) {}
  tact::allocation receive(tact::self<allocating_link>& self, new_tick& m) {
    if (m.count != chain_.sends) {
      auto next = self.spawn<allocating_link>(chain_);
      self.send(next, *new new_tick(m.count + 1, chain_.destroyed));
    }
    return tact::allocation::delete_;
  }

 private:
  const chain& chain_;
};

struct ticking : tact::protocol<tick> {};

tact::behavior<ticking> make_link(std::uint64_t sends) {
  return [=](tact::self<ticking>& self, const tick& m) {
    if (m.count != sends) self.send(self.create(make_link(sends), tact::parallel), tick{m.count + 1});
    self.stop();
  };
}

int run(program& p) {
  const auto variant =
      p.choice("variant", {"classic", "transactional", "allocated"}, "the actors, or that messages are allocated too");
  const auto sends = p.number("sends", 10'000'000, 10'000, "actors made by actors");
  const auto options = read_engine_options(p);
  p.ready();

  std::atomic<std::uint64_t> destroyed = 0;
  const chain links{sends, p.tiny() ? &destroyed : nullptr};
  std::uint64_t counted_objects = 0;
  stopwatch watch;
  {
    tact::engine engine(options);
    watch = stopwatch();
    if (variant == "classic") engine.send(engine.spawn<link>(links), tick{0});
    if (variant == "transactional") engine.send(engine.create(make_link(sends), tact::parallel), tick{0});
    if (variant == "allocated") {
      engine.send(engine.spawn<allocating_link>(links), *new new_tick(0, links.destroyed));
    }
    engine.wait_finished();
    watch.stop();
    p.check_equal(engine.statistics().actors_created, sends + 1, "actors created");
    p.check_equal(engine.statistics().actors_alive, 0, "actors alive at the end");
    check_engine(p, engine, sends + 1);
    if (p.tiny() && variant != "transactional") counted_objects = sends + 1;
  }
  p.check_equal(destroyed, counted_objects, variant == "allocated" ? "messages destroyed" : "actors destroyed");
  return p.report(watch, sends + 1);
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  bench::program p(argc, argv, "Dynamic send: each actor makes the next one and a message for it, and ends.",
                   bench::tact_runtime);
  return bench::run(p);
}
