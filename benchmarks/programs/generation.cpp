// Generation: what it costs a message to be compared with the generation of its actor, on the ideal engine of one
// thread: with the check and without it, in turns.
#include <algorithm>
#include <cstdio>
#include <vector>

#include "micro/floor_engine.hpp"
#include "programs/program.hpp"

namespace bench {
namespace {

using tact::bench::envelope;

// An actor, and the name that messages to it must have: its generation, above the bits of an address.
struct place : tact::bench::actor {
  std::uint64_t name = next_generation;
  static constexpr std::uint64_t next_generation = std::uint64_t{1} << 48;
};

// The name that a message was sent to travels in `spare`.
void pass_on(tact::bench::engine& e, envelope& m) {
  ++m.to->handled;
  if (m.left != 0) e.lane.push({m.handler, m.to->next, m.left - 1, m.spare});
}

// Returns how many were sent to one that is gone.
template <bool Checks>
std::uint64_t run_lane(tact::bench::engine& e) {
  std::uint64_t stale = 0;
  while (!e.lane.empty()) {
    envelope& m = e.lane.front();
    if (!Checks || static_cast<const place&>(*m.to).name == m.spare) [[likely]] {
      m.handler(e, m);
    } else {
      ++stale;
    }
    e.lane.pop();
  }
  return stale;
}

class ring {
 public:
  explicit ring(std::size_t actors) : places_(actors) {
    for (std::size_t i = 0; i < actors; ++i) places_[i].next = &places_[(i + 1) % actors];
  }
  // Tokens of so many hops through all of it; ns per message, and adds to what was stale.
  template <bool Checks>
  double run(std::uint64_t hops, std::uint64_t& stale) {
    for (place& at : places_) engine_.lane.push({&pass_on, &at, hops - 1, at.name});
    stopwatch watch;
    stale += run_lane<Checks>(engine_);
    watch.stop();
    return watch.cpu_seconds() * 1e9 / static_cast<double>(hops * places_.size());
  }
  [[nodiscard]] std::uint64_t handled() const {
    std::uint64_t sum = 0;
    for (const place& at : places_) sum += at.handled;
    return sum;
  }
  // The check can fail: what was under way to a place whose generation is another now is stale.
  [[nodiscard]] std::uint64_t count_stale() {
    for (place& at : places_) engine_.lane.push({&pass_on, &at, 0, at.name});
    for (place& at : places_) at.name += place::next_generation;
    return run_lane<true>(engine_);
  }

 private:
  tact::bench::engine engine_;
  std::vector<place> places_;
};

double median(std::vector<double> all) {
  const auto middle = all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2);
  std::nth_element(all.begin(), middle, all.end());
  return *middle;
}

void say_ns(program& p, const char* name, double ns) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3fns", ns);
  p.say(name, text);
}

int run(program& p) {
  const auto actors = p.number("actors", 64, 8, "actors, each with a token");
  const auto hops = p.number("hops", 100'000, 100, "messages of a token in each turn");
  const auto turns = p.number("turns", 15, 3, "turns");
  p.ready();
  p.require(p.threads() == 1, "--threads is 1: there is one thread");

  ring all(actors);
  std::uint64_t stale = 0;
  std::vector<double> checked, unchecked, differences;
  stopwatch watch;
  for (std::uint64_t t = 0; t < turns; ++t) {
    unchecked.push_back(all.run<false>(hops, stale));
    checked.push_back(all.run<true>(hops, stale));
    differences.push_back(checked.back() - unchecked.back());
  }
  watch.stop();

  const std::uint64_t messages = 2 * turns * hops * actors;
  p.check_equal(all.handled(), messages, "messages handled");
  p.check_equal(stale, 0, "messages to one that was there, and called stale");
  p.check_equal(all.count_stale(), actors, "messages to one that is gone, and called stale");
  say_ns(p, "unchecked", median(unchecked));
  say_ns(p, "checked", median(checked));
  say_ns(p, "difference", median(differences));
  return p.report(watch, messages);
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  bench::program p(argc, argv, "Generation: what the check of an address costs a message.", "one thread, no runtime");
  return bench::run(p);
}
