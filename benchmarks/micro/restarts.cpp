// What a failure costs: an actor whose handler throws and goes on, the same that is restarted, a child of a supervisor,
// and, beside them, an actor that ends with its failure and is replaced by hand, by its monitor. Per failure.
#include <memory>
#include <stdexcept>
#include <tact/patterns.hpp>

#include "micro/engine_run.hpp"

namespace tact::bench {
namespace {

constexpr std::uint64_t rounds = 2'000;

struct go {};
struct fail_now {};

behavior<fail_now> trips() {
  return {[](auto&, const fail_now&) { throw std::runtime_error("tripped"); }};
}

engine_options silent_engine() {
  auto o = small_engine(1, 0);
  o.on_failure = [](const failure_report&) {};
  return o;
}

// Sends a message that fails, and then the next one to itself.
behavior<go> drives(std::uint64_t& left, ref<fail_now> to) {
  return {[&left, to](tact::self<go>& self, const go&) {
    self.send(to, fail_now{});
    if (--left != 0) self.send(self.ref(), go{});
  }};
}

template <class Make>
void fail_again_and_again(benchmark::State& state, const Make& make) {
  engine e(silent_engine());
  std::uint64_t left = 0;
  {
    const auto made = make(e);
    const auto driver = e.create(drives(left, made.to));
    std::uint64_t failed = 0;
    for (auto _ : state) {
      left = rounds;
      e.send(driver, go{});
      e.wait_idle();
      failed += rounds;
    }
    report(state, failed, e.statistics().failures);
  }
}

struct plain {
  ref<fail_now> to;
};
struct child {
  std::unique_ptr<supervisor> around;
  ref<fail_now> to;
};

// The monitor makes another actor, and sends it the message by which that fails.
struct replaces : protocol<ended, go> {};
behavior<replaces> replaces_by_hand(std::uint64_t& left) {
  const auto replace = [&left](tact::self<replaces>& self) {
    if (left-- == 0) return;
    const auto next = self.create(trips(), failure_rule(failure_policy::end));
    self.monitor(next);
    self.send(next, fail_now{});
  };
  return {[replace](tact::self<replaces>& self, const ended&) { replace(self); },
          [replace](tact::self<replaces>& self, const go&) { replace(self); }};
}
void replace_again_and_again(benchmark::State& state) {
  engine e(silent_engine());
  std::uint64_t left = 0;
  const auto monitor = e.create(replaces_by_hand(left));
  std::uint64_t failed = 0;
  for (auto _ : state) {
    left = rounds;
    e.send(monitor, go{});
    e.wait_idle();
    failed += rounds;
  }
  report(state, failed, e.statistics().failures);
}

template <class Make>
void measure(const char* name, Make make) {
  time_everything(benchmark::RegisterBenchmark(name, [make](benchmark::State& s) { fail_again_and_again(s, make); }));
}

}  // namespace
}  // namespace tact::bench

int main(int argc, char** argv) {
  using namespace tact::bench;
  using tact::failure_policy;
  using tact::failure_rule;
  measure("restarts/goes_on",
          [](tact::engine& e) { return plain{e.create(trips(), failure_rule(failure_policy::go_on))}; });
  measure("restarts/restart", [](tact::engine& e) {
    return plain{e.create(tact::restarting([] { return trips(); }), failure_rule(failure_policy::restart))};
  });
  measure("restarts/supervised", [](tact::engine& e) {
    child c{std::make_unique<tact::supervisor>(
                e, tact::supervision{.restarts = 10'000, .within = std::chrono::microseconds(1)}),
            {}};
    c.to = c.around->create(tact::restarting([] { return trips(); }));
    return c;
  });
  time_everything(benchmark::RegisterBenchmark("restarts/replaced_by_hand", &replace_again_and_again));
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
