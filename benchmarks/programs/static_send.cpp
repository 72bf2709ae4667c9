// Static send: one actor sends one preallocated message to itself, again and again. Source: C∀.
#include "programs/engine.hpp"

namespace bench {
namespace {

struct tick {
  std::uint64_t count;
};
// The same as an object of its own, sent by reference.
struct kept_tick : tact::message {
  std::uint64_t count = 0;
};

class repeater : public tact::actor<repeater, tick> {
 public:
  explicit repeater(std::uint64_t sends) : sends_(sends) {}
  tact::allocation receive(tact::self<repeater>& self, const tick& m) {
    ++handled;
    if (m.count == sends_) return tact::allocation::finished;
    self.send(self.ref(), tick{m.count + 1});
    return tact::allocation::nodelete;
  }
  std::uint64_t handled = 0;

 private:
  std::uint64_t sends_;
};

class by_reference : public tact::actor<by_reference, kept_tick> {
 public:
  explicit by_reference(std::uint64_t sends) : sends_(sends) {}
  tact::allocation receive(tact::self<by_reference>& self, kept_tick& m) {
    ++handled;
    if (m.count == sends_) return tact::allocation::finished;
    ++m.count;
    self.send(self.ref(), m);
    return tact::allocation::nodelete;
  }
  std::uint64_t handled = 0;

 private:
  std::uint64_t sends_;
};

struct ticking : tact::protocol<tick> {};

// One message at a time is under way, so only one run counts at a time.
tact::behavior<ticking> repeat_tick(std::uint64_t sends, std::uint64_t* handled) {
  return [=](tact::self<ticking>& self, const tick& m) {
    ++*handled;
    if (m.count == sends) return self.stop();
    self.send(self.ref(), tick{m.count + 1});
  };
}

int run(program& p) {
  const auto variant = p.choice("variant", {"classic", "transactional", "reference"}, "the actor, or how it sends");
  const auto sends = p.number("sends", 50'000'000, 10'000, "times that it sends");
  const auto options = read_engine_options(p);
  p.ready();

  std::uint64_t handled = 0;
  repeater classic(sends);
  by_reference referring(sends);
  kept_tick kept;
  tact::engine engine(options);
  const auto to_classic = variant == "classic" ? engine.attach(classic) : tact::ref<repeater>{};
  const auto to_referring = variant == "reference" ? engine.attach(referring) : tact::ref<by_reference>{};
  const auto to_ticking =
      variant == "transactional" ? engine.create(repeat_tick(sends, &handled), tact::parallel) : tact::ref<ticking>{};
  const auto allocations = engine.statistics().allocations;

  stopwatch watch;
  if (to_classic) engine.send(to_classic, tick{0});
  if (to_referring) engine.send(to_referring, kept);
  if (to_ticking) engine.send(to_ticking, tick{0});
  engine.wait_finished();
  watch.stop();

  p.check_equal(handled + classic.handled + referring.handled, sends + 1, "messages handled");
  if (to_referring) p.check_equal(kept.count, sends, "the message's count");
  p.check(engine.statistics().allocations - allocations <= 16, "memory was allocated for each message");
  check_engine(p, engine, sends + 1);
  return p.report(watch, sends + 1);
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  bench::program p(argc, argv, "Static send: one actor sends one message to itself.", bench::tact_runtime);
  return bench::run(p);
}
