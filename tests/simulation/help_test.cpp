// Threads that ask with tact::help in every order: nothing that they leave behind waits until a worker wakes by itself.
#include "support/engine_fixture.hpp"
#include "tact/simulation.hpp"

namespace help_test {

namespace {

using namespace tact::support;
using namespace std::chrono_literals;

struct add {
  unsigned number;
};
struct sum {
  using reply = unsigned;
};
struct count : tact::protocol<add, tact::request<sum>> {};

tact::behavior<count> open_count(unsigned& next) {
  return {[&next](auto&, const add& m) { next = m.number == next ? next + 1 : 1'000; },
          [&next](auto& self, const tact::request<sum>& m) { self.reply(m, next); }};
}

}  // namespace

TEST_CASE("simulation: what a thread that helps leaves behind is run at once, in every order", "[help][law12]") {
  TACT_SEEDED(seed);
  const int seeds = scaled(300);
  for (std::uint64_t s = seed; s < seed + static_cast<std::uint64_t>(seeds); ++s) {
    INFO("seed=" << s);
    unsigned next = 0;
    tact::simulation sim(s);
    auto options = quiet_options(1 + static_cast<unsigned>(s % 2));
    options.helpers_max = 1;
    auto& engine = sim.engine(options);
    const auto c = engine.create(open_count(next));
    sim.start_thread([&] {
      for (unsigned i = 0; i < 20; ++i) engine.send(c, add{i});
    });
    sim.start_thread([&] {
      for (unsigned i = 0; i < 5; ++i) CHECK(engine.ask(c, sum{}, tact::help) <= 20);
    });
    sim.run();
    require_idle(engine);
    CHECK(next == 20);
    CHECK(sim.now() < 100ms);  // a worker that was not told wakes after half a second, to give memory back
  }
}

}  // namespace help_test
