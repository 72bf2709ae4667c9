// tact::inspect::actor_watch: a line for each message of one actor, which is none the wiser.
#include "tact/inspect/actor_watch.hpp"

#include <algorithm>
#include <mutex>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "support/engine_fixture.hpp"
#include "tact/inspect/line_output.hpp"
#include "tact/inspect/println.hpp"
#include "tact/simulation.hpp"

namespace inspect_actor_watch_test {

namespace {

using namespace tact::support;
using tact::inspect::actor_watch;

struct order {
  int number = 0;
};
struct bill {};
struct half {
  using reply = int;
  int of = 0;
};

// The lines, without the actor and the time in front and without the numbers of messages.
struct told {
  [[nodiscard]] tact::inspect::actor_watch_options options() {
    return {.every = std::chrono::hours(1), .to = [this](std::string_view line) {
              const std::lock_guard lock(mutex);
              all.emplace_back(line);
            }};
  }
  [[nodiscard]] std::vector<std::string> lines() {
    const std::lock_guard lock(mutex);
    std::vector<std::string> short_ones;
    for (const std::string& line : all) {
      std::string rest = line.substr(line.find(" ms: ") + 5);
      const std::size_t number = rest.find(' ') + 1;
      rest.erase(number, rest.find_first_of(" :", number) - number);
      if (const std::size_t at = rest.find('@'); at != rest.npos) rest.erase(at, rest.find(':', at) - at);
      short_ones.push_back(rest);
    }
    return short_ones;
  }
  std::mutex mutex;
  std::vector<std::string> all;
};

struct desk_protocol : tact::protocol<order> {};

// Does something else for each number.
struct desk {
  tact::ref<bill> target;
  tact::ref<tact::request<half>> service;
  void operator()(tact::self<desk_protocol>& self, const order& m) const {
    if (m.number == 1) {
      self.send(target, bill{});
      self.send(target, bill{});
      self.become(desk{target, service});
    }
    if (m.number == 2) {
      self.send(target, bill{});
      self.discard();
      self.note("nothing to send");
    }
    if (m.number == 3) throw std::runtime_error("no");
    if (m.number == 4) static_cast<void>(self.ask(service, half{8}));
    if (m.number == 5) {
      (void)self.create(tact::behavior<bill>([](auto&, const bill&) {}));
      self.stop();
    }
  }
};

}  // namespace

TEST_CASE("actor_watch: a line says what a message was, where it came from, and what its handler has done") {
  tact::engine engine(quiet_options(2));
  tact::inspect::recorder recorder(engine);
  const auto target = engine.create(tact::behavior<bill>([](auto&, const bill&) {}));
  const auto service = engine.create(tact::behavior<tact::request<half>>(
      [](auto& self, const tact::request<half>& m) { self.reply(m, m.body.of / 2); }));
  const auto watched = engine.create(tact::behavior<desk_protocol>(desk{target, service}));
  const auto customer =
      engine.create(tact::behavior<bill>([=](auto& self, const bill&) { self.send(watched, order{0}); }));
  engine.send(watched, order{7});  // before the watch begins
  require_idle(engine);

  told t;
  {
    actor_watch watch(recorder, watched, t.options());
    for (int n = 1; n <= 4; ++n) {
      engine.send(watched, order{n});
      require_idle(engine);
    }
    watch.look();
    engine.send(customer, bill{});
    require_idle(engine);
    watch.look();
    watch.look();
    engine.send(watched, order{5});
    require_idle(engine);
    engine.send(customer, bill{});
    require_idle(engine);
    // The end of the watch looks once more.
  }
  engine.send(watched, order{8});  // behind its end
  require_idle(engine);
  CHECK(t.lines() == std::vector<std::string>{
                         "order  from outside: committed, became, sent 2",
                         "order  from outside: committed, was undone, noted \"nothing to send\"",
                         "order  from outside: failed, was undone",
                         "order  from outside: committed, sent 1, waited",
                         "order  from bill: committed",
                         "order  from outside: committed, stopped, created 1",
                         "order  from bill: not handled: target ended",
                     });
  CHECK(t.all.front().starts_with("desk_protocol@"));
}

TEST_CASE("actor_watch: each message of an actor whose runs collide has one line, and the collisions are told") {
  tact::engine engine(quiet_options(4));
  tact::inspect::recorder recorder(engine, {.bytes_per_thread = 8 << 20});
  struct sum {
    int so_far = 0;
    void operator()(tact::self<order>& self, const order& m) const { self.become(sum{so_far + m.number}); }
  };
  const auto adder = engine.create(tact::behavior<order>(sum{}), tact::parallel);
  const auto other = engine.create(tact::behavior<order>(sum{}), tact::parallel);
  told t;
  const auto each = static_cast<unsigned>(scaled(300));
  std::uint64_t undone = 0;
  {
    actor_watch watch(recorder, adder, t.options());
    on_threads(4, [&](unsigned) {
      for (unsigned n = 0; n < each; ++n) {
        engine.send(adder, order{1});
        engine.send(other, order{1});
        if (n % 100 == 0) watch.look();
      }
    });
    require_idle(engine);
  }
  const auto lines = t.lines();
  CHECK(lines.size() == 4 * each);
  for (const std::string& line : lines) {
    const bool is_whole = line.starts_with("order  from ") && line.find(": committed, became") != line.npos;
    if (!is_whole) FAIL_CHECK(line);
    undone += line.find("undone") != line.npos ? 1U : 0U;
  }
  std::sort(t.all.begin(), t.all.end());
  const auto name = [](const std::string& line) { return line.substr(line.find(" ms: ") + 5); };
  std::vector<std::string> names;
  for (const std::string& line : t.all) names.push_back(name(line).substr(0, name(line).find(" from")));
  std::sort(names.begin(), names.end());
  CHECK(std::adjacent_find(names.begin(), names.end()) == names.end());
  CHECK(undone <= engine.statistics().collisions);
}

TEST_CASE("actor_watch: without a function it prints lines, in a simulation with virtual times") {
  std::ostringstream all;
  tact::inspect::line_output output(all);
  {
    const tact::inspect::line_redirection here(output);
    tact::simulation sim(1);
    tact::engine& engine = sim.engine(quiet_options(1));
    tact::inspect::recorder recorder(engine);
    const auto target = engine.create(tact::behavior<bill>([](auto&, const bill&) {}));
    const actor_watch watch(recorder, target);
    sim.advance(std::chrono::milliseconds(5));
    engine.send(target, bill{});
    sim.run();
  }
  REQUIRE(output.flush());
  const std::string line = all.str();
  CHECK(line.find(" at 5.0") != std::string::npos);
  CHECK(line.find('\n') == line.size() - 1);
  CHECK(line.ends_with(" from outside: committed\n"));
}

TEST_CASE("actor_watch: its options are printed, and a time that makes no sense is refused") {
  std::ostringstream text;
  text << tact::inspect::actor_watch_options{};
  CHECK(text.str() == "actor_watch_options{.every = 100ms, .to = {}}");
  tact::engine engine(quiet_options(1));
  const tact::inspect::recorder recorder(engine);
  const auto target = engine.create(tact::behavior<bill>([](auto&, const bill&) {}));
  CHECK_THROWS_WITH(actor_watch(recorder, target, {.every = std::chrono::seconds(0)}),
                    Catch::Contains("give more than 0"));
}

}  // namespace inspect_actor_watch_test
