// Long handler: one worker stands in a handler while the others' actors become, create, and end at full speed. What
// they leave behind cannot all be freed meanwhile: how much is held, and how much memory does it take?
#include <algorithm>
#include <atomic>
#include <thread>
#include <utility>
#include <vector>

#include "programs/engine.hpp"

namespace bench {
namespace {

// What happens outside of the actors.
struct board {
  std::atomic<bool> stands{false};
  std::atomic<bool> over{false};
  alignas(128) std::atomic<std::uint64_t> made{0};  // behaviours
  alignas(128) std::atomic<std::uint64_t> gone{0};

  // Behaviours that are in use, or were and are not freed yet.
  [[nodiscard]] std::uint64_t held() const {
    const std::uint64_t freed = gone.load(std::memory_order_acquire);
    return made.load(std::memory_order_acquire) - freed;
  }
};

// In a behaviour: counts when it is made, and when its memory is given up.
class witness {
 public:
  explicit witness(board& b) : board_(&b) { b.made.fetch_add(1, std::memory_order_relaxed); }
  witness(witness&& other) noexcept : board_(std::exchange(other.board_, nullptr)) {}
  witness& operator=(witness&&) = delete;
  ~witness() {
    if (board_ != nullptr) board_->gone.fetch_add(1, std::memory_order_relaxed);
  }

 private:
  board* board_;
};

struct stand {};
class stander : public tact::actor<stander, stand> {
 public:
  explicit stander(board& b) : board_(&b) {}
  void receive(tact::self<stander>&, const stand&) {
    board_->stands = true;
    board_->stands.notify_one();
    board_->over.wait(false);
  }

 private:
  board* board_;
};

struct turn {};
struct turns_done {
  using reply = std::uint64_t;
};
struct child : tact::protocol<turn> {};
struct changer : tact::protocol<turn, tact::request<turns_done>> {};

tact::behavior<child> end_at_once(board& b) {
  return {[w = witness(b)](tact::self<child>& self, const turn&) { self.stop(); }};
}

// Each turn is a become, and an actor that gets one message and ends.
tact::behavior<changer> change(board& b, std::uint64_t turns) {
  return {
      [&b, turns, w = witness(b)](tact::self<changer>& self, const turn&) {
        if (b.over.load(std::memory_order_relaxed)) return;
        self.become(change(b, turns + 1));
        self.send(self.create(end_at_once(b), tact::parallel), turn{});
        self.send(self.ref(), turn{});
      },
      [turns](auto& self, const tact::request<turns_done>& m) { self.reply(m, turns); },
  };
}

// The greatest figures of what is held while the handler goes on: so long, and until the others have begun, which a
// busy machine may let wait for long.
struct watched {
  std::uint64_t held = 0;
  double mib = 0;
};
watched watch_for(const board& b, std::uint64_t actors, std::chrono::milliseconds duration) {
  watched most;
  const auto end = std::chrono::steady_clock::now() + duration;
  const auto limit = end + std::chrono::seconds(30);
  const auto goes_on = [&](auto now) { return now < end || (b.made.load() <= actors && now < limit); };
  while (goes_on(std::chrono::steady_clock::now())) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    most.held = std::max(most.held, b.held());
    most.mib = std::max(most.mib, resident_mib());
  }
  return most;
}

struct limits {
  explicit limits(program& p)
      : retired(p.number("retired-max", 0, 0, "behaviours that may wait for their end; 0: any number", 0)),
        growth(p.number("growth-max", 0, 0, "MiB by which memory may grow; 0: any number", 0)) {}
  void check(program& p, std::uint64_t found_retired, double found_growth) const {
    p.check(retired == 0 || found_retired <= retired, "more behaviours waited for their end than may");
    p.check(growth == 0 || found_growth <= static_cast<double>(growth), "memory grew by more than it may");
  }
  std::uint64_t retired;
  std::uint64_t growth;
};

int run(program& p) {
  const auto duration = std::chrono::milliseconds(p.number("ms", 1000, 30, "milliseconds that the handler takes"));
  const auto actors = p.number("actors", 64, 8, "actors that become");
  const limits most(p);
  const auto options = read_engine_options(p);
  p.ready();
  p.require(p.threads() >= 2, "--threads is at least 2: one worker stands");

  board b;
  watched found;
  double before = 0;
  std::uint64_t turns = 0;
  stopwatch watch;
  {
    tact::engine engine(options);
    std::vector<tact::ref<changer>> refs;
    for (std::uint64_t n = 0; n < actors; ++n) refs.push_back(engine.create(change(b, 0), tact::parallel));
    engine.send(engine.spawn<stander>(b), stand{});
    b.stands.wait(false);

    before = resident_mib();
    watch = stopwatch();
    for (const auto r : refs) engine.send(r, turn{});
    found = watch_for(b, actors, duration);
    watch.stop();
    b.over = true;
    b.over.notify_all();
    engine.wait_idle();

    const auto counted = engine.statistics();
    const std::uint64_t created = counted.actors_created - actors - 1;
    check_engine(p, engine, 1 + actors + 2 * created);
    for (const auto r : refs) turns += engine.ask(r, turns_done{});
    p.check_equal(turns, created, "turns, and actors made by them");
    p.check_equal(engine.statistics().actors_alive, actors + 1, "actors that did not end");
    p.say("held_after", std::to_string(b.held()));
  }
  p.check_equal(b.held(), 0, "behaviours that were never freed");
  p.check(turns != 0, "nothing was done meanwhile");

  // Those of the actors that become are in use; at most as many again of those that end at once.
  const std::uint64_t retired = found.held > actors ? found.held - actors : 0;
  const double growth = std::max(found.mib - before, 0.0);
  most.check(p, retired, growth);
  p.say("retired", std::to_string(retired));
  p.say("growth", std::to_string(static_cast<std::uint64_t>(growth + 0.5)) + "MiB");
  return p.report(watch, 2 * turns);
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  bench::program p(argc, argv, "Long handler: one worker stands in a handler, the others go on.", bench::tact_runtime);
  return bench::run(p);
}
