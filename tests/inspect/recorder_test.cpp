// What a recorder keeps, and what it refuses.
#include <algorithm>
#include <chrono>
#include <memory>
#include <string>

#include "support/engine_fixture.hpp"
#include "tact/inspect/recorder.hpp"
#include "tact/simulation.hpp"

namespace inspect_recorder_test {

namespace {

using namespace tact::support;
using tact::inspect::event;
using tact::inspect::step;

struct tick {
  unsigned left = 0;
};

tact::behavior<tick> counting_down() {
  return [](auto& self, const tick& m) {
    if (m.left != 0) self.send(self.ref(), tick{m.left - 1});
  };
}

std::size_t count(const tact::inspect::trace& t, step what) {
  return static_cast<std::size_t>(
      std::count_if(t.events().begin(), t.events().end(), [=](const event& e) { return e.what == what; }));
}

}  // namespace

TEST_CASE("recorder: of tasks that threads outside begin, only a part is recorded, with all that comes of it") {
  tact::engine engine(quiet_options(2));
  const auto actor = engine.create(counting_down());
  tact::inspect::recorder recorder(engine, {.one_of = 10});
  for (int n = 0; n < 100; ++n) engine.send(actor, tick{4});
  require_idle(engine);
  const auto t = recorder.read();
  CHECK(count(t, step::sent) >= 50);
  CHECK(count(t, step::sent) <= 300);
  // Each message is handled that comes of a recorded one.
  CHECK(count(t, step::begun) >= count(t, step::sent));
}

TEST_CASE("recorder: when its memory is full it keeps the newest steps, and says how many are lost") {
  tact::engine engine(quiet_options(1));
  const auto actor = engine.create(counting_down());
  tact::inspect::recorder recorder(engine, {.bytes_per_thread = 64 << 10});
  engine.send(actor, tick{20000});
  require_idle(engine);
  const auto t = recorder.read();
  CHECK(t.events().size() >= 1900);
  CHECK(t.events().size() <= 2100);
  CHECK(t.events().size() + t.lost() >= 3 * 20000);
  const auto last = std::find_if(t.events().rbegin(), t.events().rend(), [](const event& s) { return s.message != 0; });
  REQUIRE(last != t.events().rend());
  CHECK(last->what == step::over);
  const std::string why = t.why(last->message);
  CHECK(why.find("whose send is not recorded") != std::string::npos);
}

TEST_CASE(
    "recorder: a message that waits for its thread begins when that takes it up, not at the end of the last one") {
  tact::engine engine({.workers = 0});
  const auto actor = engine.create(counting_down());
  tact::inspect::recorder recorder(engine);
  engine.send(actor, tick{});
  engine.run_until_idle();
  engine.send(actor, tick{});
  constexpr std::chrono::milliseconds late(20);
  const auto until = std::chrono::steady_clock::now() + late;
  while (std::chrono::steady_clock::now() < until) {
  }
  engine.run_until_idle();
  const auto t = recorder.read();
  const auto last = [&](step what) {
    const auto at =
        std::find_if(t.events().rbegin(), t.events().rend(), [&](const event& e) { return e.what == what; });
    REQUIRE(at != t.events().rend());
    return at->at;
  };
  CHECK(last(step::begun) - last(step::sent) >= late - std::chrono::milliseconds(1));
}

TEST_CASE("recorder: what happens while it is off is not recorded") {
  tact::engine engine(quiet_options(1));
  const auto actor = engine.create(counting_down());
  tact::inspect::recorder recorder(engine);
  recorder.stop();
  CHECK(!recorder.is_on());
  engine.send(actor, tick{100});
  require_idle(engine);
  const auto none = recorder.read();
  CHECK(none.events().empty());
  recorder.start();
  engine.send(actor, tick{});
  require_idle(engine);
  CHECK(count(recorder.read(), step::begun) == 1);
}

TEST_CASE("recorder: a note of a handler is kept as it was written, up to its greatest length") {
  tact::engine engine(quiet_options(1));
  const std::string long_text(1000, 'x');
  const auto actor = engine.create(tact::behavior<tick>([=](auto& self, const tick&) {
    self.note("");
    self.note("short");
    self.note("brief");
    self.note("twenty-four bytes, so...");
    self.note(long_text);
  }));
  tact::inspect::recorder recorder(engine);
  engine.send(actor, tick{});
  require_idle(engine);
  std::vector<std::string> texts;
  // The texts belong to a copy as well.
  auto first = std::make_unique<tact::inspect::trace>(recorder.read());
  const tact::inspect::trace t = *first;
  first.reset();
  for (const event& e : t.events()) {
    if (e.what == step::marked) texts.emplace_back(e.text);
  }
  REQUIRE(texts.size() == 5);
  CHECK(texts[0].empty());
  CHECK(texts[1] == "short");
  CHECK(texts[2] == "brief");
  CHECK(texts[3] == "twenty-four bytes, so...");
  CHECK(texts[4] == long_text.substr(0, 240));
}

TEST_CASE("recorder: an engine has one, and wrong options are refused with the remedy") {
  tact::engine engine(quiet_options(1));
  CHECK_THROWS_WITH(tact::inspect::recorder(engine, {.one_of = 0}), Catch::Contains("give 1 to record all"));
  CHECK_THROWS_WITH(tact::inspect::recorder(engine, {.bytes_per_thread = std::size_t{1} << 40}),
                    Catch::Contains("give at most"));
  const tact::inspect::recorder one(engine);
  CHECK_THROWS_AS(tact::inspect::recorder(engine), tact::usage_error);
}

TEST_CASE("recorder: in a simulation times are virtual, and one seed gives one trace") {
  const auto run = [](std::uint64_t seed) {
    std::vector<std::pair<long long, int>> steps;
    tact::simulation sim(seed);
    tact::engine& engine = sim.engine(quiet_options(2));
    tact::inspect::recorder recorder(engine);
    const auto actor = engine.create(counting_down(), tact::parallel);
    engine.send(actor, tick{10});
    engine.wait_idle();
    const auto t = recorder.read();
    for (const event& e : t.events()) steps.emplace_back(e.at.count(), static_cast<int>(e.what));
    return steps;
  };
  const auto text = [](const auto& all) {
    std::string s;
    for (const auto& [at, what] : all) s += std::to_string(at - all.front().first) + ':' + std::to_string(what) + ' ';
    return s;
  };
  const auto once = run(7);
  const auto twice = run(7);
  CHECK(once.size() > 30);
  CHECK(text(once) == text(twice));
}

}  // namespace inspect_recorder_test
