// tact::registry: a name stands for one actor until that ends, whoever asks and whatever fails.
#include "tact/patterns/registry.hpp"
#include "patterns/trouble.hpp"
#include "support/extreme_times.hpp"

namespace registry_test {

namespace {

using namespace tact::patterns_tests;
using namespace std::chrono_literals;

struct tick {
  int number = 0;
  tracked instance{};
};
struct stop_now {};
struct whoami {
  using reply = int;
};
struct ticking : tact::protocol<tick, stop_now> {};
struct clock : tact::protocol<tact::request<whoami>, ticking> {};

tact::behavior<clock> open_clock(int number) {
  return {
      [number](auto& self, const tact::request<whoami>& m) { self.reply(m, number); },
      [](auto& self, const stop_now&) { self.stop(); },
      [](auto&, const auto&) {},
  };
}

// Two threads want one name; one waits for it. Then the actor ends that has it.
void two_want_a_name(tact::simulation& sim, const trouble& t) {
  auto& engine = sim.engine(quiet_options(3));
  const tact::registry names(engine);
  const std::array clocks{engine.create(open_clock(0)), engine.create(open_clock(1))};
  std::array<bool, 2> mine{};
  int waited = 0;
  t.begin();
  for (std::size_t i = 0; i < 2; ++i) {
    sim.start_thread([&, i] { t.tries([&] { mine[i] = names.add("clock", clocks[i]); }); });
  }
  sim.start_thread([&] {
    t.tries([&] {
      try {
        const auto r = names.await<clock>(engine, "clock", std::chrono::hours(1));
        sim.check(!r || r == clocks[0] || r == clocks[1], "another actor");
        waited = r ? 2 : 1;
      } catch (const tact::ask_error&) {
        sim.check(!t.is_none(), "a request fails");
        waited = 1;
      }
    });
  });
  sim.run();
  sim.check(!(mine[0] && mine[1]), "both have the name");
  sim.check(mine[0] || mine[1] || !t.is_none(), "nobody has the name");
  sim.check(!(mine[0] || mine[1]) || waited != 0 || !t.is_none(), "the name is there, and who waits is not told");
  const auto now = names.find<clock>("clock");
  sim.check(now == (mine[0] ? clocks[0] : mine[1] ? clocks[1] : tact::ref<clock>{}), "the name stands for another one");
  for (const auto c : clocks) t.tries([&] { engine.send(c, stop_now{}); });
  sim.run();
  if (t.has_come() || t.is_none()) {
    for (const auto c : clocks) engine.send(c, stop_now{});
    sim.run();
    sim.check(!names.find<clock>("clock"), "the name of an actor that has ended is not free");
  }
  sim.end();
}

struct start {};
using changed = std::function<void(tact::transaction&, bool)>;

// An actor registers itself. A register that fails leaves nothing.
template <class Ask>
void an_actor_registers_itself(tact::simulation& sim, const trouble& t, const Ask& ask) {
  auto& engine = sim.engine(quiet_options(2));
  const tact::registry names(engine);
  const auto answers = std::make_shared<std::array<std::atomic<int>, 3>>();  // failed, no, yes
  struct own : tact::protocol<start, ticking> {};
  const auto who = engine.create(tact::behavior<own>{
      [&names, answers, ask](tact::self<own>& self, const start&) {
        ask(
            self, names, tact::register_name("me", self.ref()),
            [answers](auto&, bool is_done) { ++(*answers)[is_done ? 2 : 1]; },
            [answers](auto&, const tact::failure&) { ++(*answers)[0]; });
      },
      [](auto&, const tick&) {},
      [](auto& self, const stop_now&) { self.stop(); },
  });
  t.begin();
  t.tries([&] { engine.send(who, start{}); });
  sim.run();
  const auto& a = *answers;
  const bool is_there = names.find<own>("me") == who;
  sim.check(a[0] + a[1] + a[2] == 1 || !t.is_none(), "no answer, or two");
  sim.check(a[0] + a[1] + a[2] <= 1, "two answers");
  sim.check(a[1] == 0, "nobody had the name");
  sim.check(a[0] == 0 || !is_there, "what has failed has an effect");
  sim.check(a[2] == 0 || is_there, "what has succeeded has none");
  sim.end();
}

constexpr auto asks = [](tact::transaction& tx, const tact::registry& names, tact::register_name q, auto then,
                         auto otherwise) { tx.ask(names.office(), std::move(q), then, otherwise); };

// An office whose runs change the table and do not take it back.
struct careless_office {
  void operator()(tact::self<tact::registry_protocol>& self, const tact::request<tact::register_name>& m) const {
    auto next = m.body.bound;
    table->change(m.body.name, next, [](auto&) { return true; });
    self.reply(m, true);
  }
  template <class M>
  void operator()(tact::self<tact::registry_protocol>&, const M&) const {}
  std::shared_ptr<tact::detail::name_table> table;
};

}  // namespace

TEST_CASE("registry: one of two gets the name, who waits is told, and the name is free at the end, whatever fails",
          "[law1][law3][law8]") {
  require_whatever_fails(two_want_a_name);
}

TEST_CASE("registry: a register by a handler takes effect and says so, or does neither, whatever fails", "[law1]") {
  require_whatever_fails([](tact::simulation& sim, const trouble& t) { an_actor_registers_itself(sim, t, asks); });
}

TEST_CASE("registry: an office that changes its table and then fails is found", "[law1]") {
  require_found_when_it_fails([](tact::simulation& sim, const trouble& t) {
    auto& engine = sim.engine(quiet_options(2));
    const auto table = std::make_shared<tact::detail::name_table>();
    const auto office = engine.create(tact::behavior<tact::registry_protocol>(careless_office{table}));
    const auto who = engine.create(open_clock(1));
    t.begin();
    bool has_failed = false;
    t.tries([&] {
      try {
        engine.ask(office, tact::register_name("me", who));
      } catch (const tact::ask_error&) {
        has_failed = true;
      }
    });
    sim.check(!has_failed || table->find("me").who == 0, "what has failed has an effect");
  });
}

TEST_CASE("registry: a name is found as what it was registered as or narrows to, and another protocol is named",
          "[law13]") {
  const nothing_left left;
  tact::engine engine(quiet_options(2));
  const tact::registry names(engine);
  const auto c = engine.create(open_clock(5));
  CHECK(names.add("clock", c));
  CHECK_FALSE(names.add("clock", engine.create(open_clock(6))));
  CHECK(names.find<clock>("clock") == c);
  CHECK(names.find<ticking>("clock") == tact::ref<ticking>(c));
  CHECK(names.find<tick>("clock") == tact::ref<tick>(c));
  CHECK(engine.ask(names.find<tact::request<whoami>>("clock"), whoami{}) == 5);
  CHECK_FALSE(names.find<clock>("another"));
  CHECK_THROWS_WITH(names.find<int>("clock"),
                    "registry: \"clock\" was registered as ref<clock>, which does not narrow to ref<int>: ask for what "
                    "it was registered as");
  CHECK_THROWS_AS(names.await<int>(engine, "clock"), tact::ask_error);
  CHECK_THROWS_AS(names.add("nobody", tact::ref<clock>{}), tact::usage_error);
  const auto other = engine.create(open_clock(7));
  CHECK(names.replace("clock", other));
  engine.send(c, stop_now{});  // the end of one that was replaced takes nothing
  require_idle(engine);
  CHECK(names.await<clock>(engine, "clock") == other);
  CHECK(names.remove("clock"));
  CHECK_FALSE(names.remove("clock"));
  CHECK_FALSE(names.find<clock>("clock"));
}

TEST_CASE("registry: inside a handler its calls name the request to send instead", "[law1]") {
  tact::engine engine(quiet_options(1));
  const tact::registry names(engine);
  std::string told;
  const auto a = engine.create(tact::behavior<tick>{[&](tact::self<tick>& self, const tick&) {
    try {
      names.add("me", self.ref());
    } catch (const tact::usage_error& e) {
      told = e.what();
    }
  }});
  engine.send(a, tick{});
  require_idle(engine);
  CHECK(told ==
        "registry.add is no part of a transaction; inside a handler call self.ask(names.office(), "
        "tact::register_name(name, ref), then, otherwise)");
}

TEST_CASE("registry: who waits for a name is told when it is there, and fails when the registry ends", "[law8]") {
  TACT_FOR_EACH_THREAD_COUNT(workers);
  const nothing_left left;
  tact::engine engine(quiet_options(workers));
  std::optional<tact::registry> names(std::in_place, engine);
  std::atomic<int> found{0};
  std::atomic<int> failed{0};
  const auto seeker = engine.create(tact::behavior<tact::done>{[&](auto& self, const tact::done&) {
    for (const char* name : {"one", "two"}) {
      names->await<tick>(
          self, name, [&](auto&, tact::ref<tick>) { ++found; },
          [&](auto&, const tact::failure& f) { failed += f.reason == tact::failure_reason::target_ended ? 1 : 100; });
    }
  }});
  engine.send(seeker, tact::done{});
  require_idle(engine);
  CHECK(found == 0);
  names->add("one", engine.create(open_clock(1)));
  require_idle(engine);
  CHECK(found == 1);
  CHECK(failed == 0);
  names.reset();
  require_idle(engine);
  CHECK(found == 1);
  CHECK(failed == 1);
}

TEST_CASE("registry: many threads look up names while others add, replace and remove them", "[law13]") {
  TACT_FOR_EACH_THREAD_COUNT(workers);
  const nothing_left left;
  tact::engine engine(quiet_options(workers));
  const tact::registry names(engine);
  const auto always = engine.create(open_clock(1));
  REQUIRE(names.add("always", always));
  std::atomic<int> lost{0};
  const int rounds = scaled(300);
  on_threads(4, [&](unsigned thread) {
    for (int i = 0; i < rounds; ++i) {
      const std::string name = "clock " + std::to_string(thread) + " " + std::to_string(i);
      const auto mine = engine.create(open_clock(i));
      lost += names.add(name, mine) ? 0 : 1;
      lost += names.find<clock>("always") == always ? 0 : 1;
      lost += names.find<clock>(name) == mine ? 0 : 1;
      static_cast<void>(names.find<clock>("clock 0 " + std::to_string(i)));
      names.replace("shared", mine);
      if (i % 2 == 0) lost += names.remove(name) ? 0 : 1;
      engine.send(mine, stop_now{});
    }
  });
  require_idle(engine);
  CHECK(lost == 0);
  int there = 0;
  for (int i = 0; i < rounds; ++i) there += names.find<clock>("clock 1 " + std::to_string(i)) ? 1 : 0;
  CHECK(there == 0);
  CHECK_FALSE(names.find<clock>("shared"));
  CHECK(names.find<clock>("always") == always);
}

TEST_CASE("registry: it waits for a name as long as it is told, whatever that is", "[patterns]") {
  struct name_wait {
    bool found;
    std::chrono::nanoseconds took;
  };
  const auto wait_for_name = [](auto time) {
    tact::simulation s(1);
    auto& e = s.engine(quiet_options(2));
    tact::registry names(e);
    const auto a = e.create(tact::sink<tick>());
    const auto namer = e.create(tact::behavior<tick>{[&](auto& self, const tick&) {
      self.ask(
          names.office(), tact::register_name("a", a), [](tact::transaction&, bool) {},
          [](tact::transaction&, const tact::failure&) {});
    }});
    e.send_after(1s, namer, tick{});
    const std::chrono::nanoseconds begun = s.now();
    const auto found = names.template await<tick>(e, "a", time);
    return name_wait{static_cast<bool>(found), s.now() - begun};
  };
  for_each_past_time([&](auto time) {
    const auto w = wait_for_name(time);
    CHECK_FALSE(w.found);
    CHECK(w.took == 0s);
  });
  for_each_far_time([&](auto time) {
    const auto w = wait_for_name(time);
    CHECK(w.found);
    CHECK(w.took == 1s);
  });
}

}  // namespace registry_test
