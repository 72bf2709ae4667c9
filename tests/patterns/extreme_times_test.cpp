// Every pattern that takes a duration, and every ask of a handler that does, with all durations: what is to happen
// then happens at that time of the simulation, to the nanosecond, and what the clock cannot say never happens.
#include <rapidcheck.h>

#include <chrono>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "support/engine_fixture.hpp"
#include "support/extreme_times.hpp"
#include "tact/patterns.hpp"
#include "tact/simulation.hpp"

namespace extreme_times_test {

namespace {

using namespace tact::support;
using namespace std::chrono_literals;
using std::chrono::nanoseconds;
using tact::failure;
using tact::request;

// So far the tests look: what has not happened by then never happens, as far as anybody is concerned.
constexpr nanoseconds far = 24h * 365 * 70;

struct question {
  using reply = int;
  int n = 0;
  friend bool operator<(const question& a, const question& b) { return a.n < b.n; }
};
struct word {};
using asks = request<question>;

// Whether that what is waited for has happened; looking may send messages, and let the engine handle them.
using look = std::function<bool()>;

// Defers each request, and forgets it.
tact::behavior<asks> silent() {
  return {[](auto& self, const asks& m) { self.defer(m); }};
}
// Notes the end of a request: an answer, or a failure.
template <class Q = question>
look ends(tact::engine& e, tact::ref<request<std::type_identity_t<Q>>> to, Q q = {}) {
  const auto ended = std::make_shared<bool>(false);
  e.ask(
      to, std::move(q), [](auto&& f) { f(); }, [ended](auto&&) { *ended = true; },
      [ended](const failure&) { *ended = true; });
  return [ended] { return *ended; };
}
// Notes that a word has come.
struct bell {
  explicit bell(tact::engine& e)
      : ref(e.create(tact::behavior<word>{[rung = rung](auto&, const word&) { *rung = true; }})) {}
  [[nodiscard]] look rings() const {
    return [rung = rung] { return *rung; };
  }
  std::shared_ptr<bool> rung = std::make_shared<bool>(false);
  tact::ref<word> ref;
};

constexpr nanoseconds any = nanoseconds::min();

// Something that is to happen `time` after it was begun. What `begin` returns is asked whether it has.
struct limit {
  const char* name;
  nanoseconds least;  // a time below throws usage_error
  std::function<look(tact::simulation&, tact::engine&, nanoseconds time)> begin;
};

// -- what the limits are about

look retried(tact::engine& e, tact::retry_options o) {
  const auto fails_always =
      e.create(tact::behavior<asks>{[](auto&, const asks&) { throw std::runtime_error("as always"); }});
  return ends(e, e.create(tact::retry(fails_always, o)));
}
// A child that has failed is made anew.
look restarted(tact::engine& e, tact::supervision o) {
  const auto all = std::make_shared<tact::supervisor>(e, std::move(o));
  const auto made = std::make_shared<int>(0);
  const auto child = all->create(tact::restarting([made] {
    ++*made;
    return tact::behavior<word>{[](auto&, const word&) { throw std::runtime_error("fragile"); }};
  }));
  e.send(child, word{});
  return [all, made] { return *made == 2; };
}
look rested(tact::engine& e, nanoseconds time) {
  const auto made = std::make_shared<int>(0);
  const auto rests =
      e.create(tact::restarting([made] {
                 ++*made;
                 return tact::behavior<word>{[](auto&, const word&) { throw std::runtime_error("fragile"); }};
               }),
               tact::failure_rule([time](const tact::failure_report&) {
                 return tact::failure_verdict(tact::failure_policy::restart, time);
               }));
  e.send(rests, word{});
  return [made] { return *made == 2; };
}
// The one that was started last waits for an answer; so the other one ends when that one has had its time.
look shut_down(tact::simulation& s, tact::engine& e, nanoseconds time) {
  const auto all = std::make_shared<tact::supervisor>(e);
  const auto first = all->create(tact::sink<word>());
  const auto waits = all->create(tact::behavior<word>{[to = e.create(silent())](auto& self, const word&) {
                                   (void)self.ask(to, question{}, far + 24h);
                                 }},
                                 tact::shutdown_limit{time});
  e.send(waits, word{});
  const bell gone(e);
  e.monitor(first, gone.ref, word{});
  s.run();
  all->end();
  return [all, rung = gone.rung] { return *rung; };
}
look opened_circuit(tact::simulation& sim, tact::engine& e, nanoseconds time) {
  const auto asked = std::make_shared<int>(0);
  const auto service = e.create(tact::behavior<asks>{[asked](auto&, const asks&) {
    ++*asked;
    throw std::runtime_error("as always");
  }});
  const auto guarded = e.create(tact::circuit_breaker(service, {.failures = 1, .window = 1, .open_time = time}));
  (void)ends(e, guarded);
  return [&sim, &e, guarded, asked] {
    sim.run();
    (void)ends(e, guarded);
    sim.run();
    return *asked == 2;
  };
}
look forgotten_answer(tact::simulation& sim, tact::engine& e, nanoseconds time) {
  const auto asked = std::make_shared<int>(0);
  const auto service = e.create(tact::behavior<asks>{[asked](auto& self, const asks& m) {
    ++*asked;
    self.reply(m, 1);
  }});
  const auto kept = e.create(tact::cache<question>(service, {.entries = 1, .age = time}));
  (void)ends(e, kept);
  return [&sim, &e, kept, asked] {
    sim.run();
    (void)ends(e, kept);
    sim.run();
    return *asked == 2;
  };
}
look throttled(tact::engine& e, tact::throttle_options o) {
  const auto came = std::make_shared<int>(0);
  const auto counts = e.create(tact::behavior<word>{[came](auto&, const word&) { ++*came; }});
  const auto calm = e.create(tact::throttle(counts, o));
  e.send(calm, word{});
  e.send(calm, word{});
  return [came] { return *came == 2; };
}
look skipped_gap(tact::engine& e, nanoseconds time) {
  const bell passed_on(e);
  const auto in_order = e.create(tact::resequencer<word>(passed_on.ref, {}, time));
  e.send(in_order, tact::numbered<word>{2, {}});
  return passed_on.rings();
}
look closed_when_idle(tact::engine& e, nanoseconds time) {
  const auto closed = std::make_shared<bool>(false);
  const auto told = e.create(
      tact::behavior<tact::resource_closed>{[closed](auto&, const tact::resource_closed&) { *closed = true; }});
  const auto open = [](tact::transaction& tx) {
    return tx.create(tact::behavior<asks>{[](auto& self, const asks& m) { self.reply(m, 1); }}, tact::owned);
  };
  (void)ends(e, e.create(tact::idle_close<question>(open, time, told)));
  return [closed] { return *closed; };
}
look lease_over(tact::engine& e, tact::ref<request<tact::ticket_lease>> office) {
  const auto granted = std::make_shared<int>(0);
  for (int i = 0; i < 2; ++i) {
    e.ask(
        office, tact::ticket_lease{}, [](auto&& f) { f(); }, [granted](const tact::ticket&) { ++*granted; },
        [](const failure&) {});
  }
  return [granted] { return *granted == 2; };
}

// A state that lasts for a time, of any type of duration.
template <class Duration>
struct begun {
  Duration time;
  tact::ref<word> told;
  Duration time_limit() const { return time; }
  void operator()(auto&, const word&) const {}
  void operator()(auto& self, const tact::state_timeout&) const { self.send(told, word{}); }
};
template <class Duration>
look state_over(tact::engine& e, Duration time) {
  const bell over(e);
  const auto machine = e.create(tact::state_machine<word>(begun<Duration>{time, over.ref}));
  e.send(machine, tact::start_states{});
  return over.rings();
}

// `ask(self, silent service, bell)` is an ask of a handler with a limit.
template <class Ask>
look asked(tact::engine& e, Ask ask) {
  const bell over(e);
  const auto a = e.create(silent());
  const auto b = e.create(silent());
  const auto hand = e.create(tact::behavior<word>{[=, told = over.ref](auto& self, const word&) {
    ask(self, std::vector<tact::ref<asks>>{a, b}, told);
  }});
  e.send(hand, word{});
  return over.rings();
}

using sim = tact::simulation;
using engine = tact::engine;

// Of timers, and of asks.
std::vector<limit> limits_of_calls() {
  return {
      {"send_after", any,
       [](sim&, engine& e, auto t) {
         const bell b(e);
         e.send_after(t, b.ref, word{});
         return b.rings();
       }},
      {"send_every", 1ns,
       [](sim&, engine& e, auto t) {
         const bell b(e);
         e.send_every(t, b.ref, word{});
         return b.rings();
       }},
      {"ask, with a limit", any,
       [](sim&, engine& e, auto t) {
         return asked(e, [t](auto& self, auto all, auto told) {
           self.ask(
               all.front(), question{}, t, [](auto&, int) {},
               [told](auto& tx, const failure&) { tx.send(told, word{}); });
         });
       }},
      {"ask_here", any,
       [](sim&, engine& e, auto t) {
         return asked(e, [t](auto& self, auto all, auto told) {
           const auto tell = [told](auto& me, const failure&) { me.send(told, word{}); };
           self.ask_here(
               all.front(), question{}, t, [](auto&, int) {}, tell);
         });
       }},
      {"ask_all", any,
       [](sim&, engine& e, auto t) {
         return asked(e, [t](auto& self, auto all, auto told) {
           self.ask_all(all, question{}, t, [told](auto& tx, auto) { tx.send(told, word{}); });
         });
       }},
      {"ask_first", any,
       [](sim&, engine& e, auto t) {
         return asked(e, [t](auto& self, auto all, auto told) {
           self.ask_first(all, question{}, t, [told](auto& tx, auto) { tx.send(told, word{}); });
         });
       }},
      {"ask_any", any,
       [](sim&, engine& e, auto t) {
         return asked(e, [t](auto& self, auto all, auto told) {
           self.ask_any(all, question{}, t, [told](auto& tx, auto) { tx.send(told, word{}); });
         });
       }},
  };
}

std::vector<limit> limits_of_relays() {
  return {
      {"timeout", 1ns, [](sim&, engine& e, auto t) { return ends(e, e.create(tact::timeout(e.create(silent()), t))); }},
      {"serializer", any,
       [](sim&, engine& e, auto t) { return ends(e, e.create(tact::serializer<question>(e.create(silent()), t))); }},
      {"first_of", any,
       [](sim&, engine& e, auto t) { return ends(e, e.create(tact::first_of<question>({e.create(silent())}, t))); }},
      {"any_ok", any,
       [](sim&, engine& e, auto t) { return ends(e, e.create(tact::any_ok<question>({e.create(silent())}, t))); }},
      {"unwind_protect", 1ns,
       [](sim&, engine& e, auto t) {
         const bell b(e);
         (void)ends(e, e.create(tact::unwind_protect(e.create(silent()), b.ref, word{}, t)));
         return b.rings();
       }},
      {"ask_each_options::limit", any,
       [](sim&, engine& e, auto t) {
         const auto all = e.create(tact::par_map(std::vector{e.create(silent())}, {.limit = t}));
         return ends<tact::query_batch<question>>(e, all, {{{}}});
       }},
      {"scatter_options::limit", any,
       [](sim&, engine& e, auto t) {
         return ends<tact::to_all<question>>(
             e, e.create(tact::scatter_gather<question>({e.create(silent())}, {.quorum = 1, .limit = t})));
       }},
      {"all_of", any,
       [](sim&, engine& e, auto t) {
         return ends<tact::to_all<question>>(e, e.create(tact::all_of<question>({e.create(silent())}, t)));
       }},
  };
}

std::vector<limit> limits_of_repairs() {
  const auto none = nanoseconds::max();
  return {
      {"retry_options::first_delay", 0ns,
       [=](sim&, engine& e, auto t) {
         return retried(e, {.attempts = 2, .first_delay = t, .factor = 1, .delay_max = none});
       }},
      {"retry_options::delay_max", 0ns,
       [=](sim&, engine& e, auto t) {
         return retried(e, {.attempts = 2, .first_delay = none, .factor = 1, .delay_max = t});
       }},
      {"supervision::first_delay", 0ns,
       [=](sim&, engine& e, auto t) { return restarted(e, {.first_delay = t, .factor = 1, .delay_max = none}); }},
      {"supervision::delay_max", 0ns,
       [=](sim&, engine& e, auto t) { return restarted(e, {.first_delay = none, .delay_max = t}); }},
      {"failure_verdict::after", any, [](sim&, engine& e, auto t) { return rested(e, t); }},
      {"shutdown_limit::time", any, [](sim& s, engine& e, auto t) { return shut_down(s, e, t); }},
  };
}

std::vector<limit> limits_of_states() {
  return {
      {"circuit_options::open_time", 1ns, [](sim& s, engine& e, auto t) { return opened_circuit(s, e, t); }},
      {"cache_limits::age", 1ns, [](sim& s, engine& e, auto t) { return forgotten_answer(s, e, t); }},
      {"opening_gate", any,
       [](sim&, engine& e, auto t) {
         const bell b(e);
         e.send(e.create(tact::opening_gate(b.ref, t)), word{});
         return b.rings();
       }},
      {"debounce", any,
       [](sim&, engine& e, auto t) {
         const bell b(e);
         e.send(e.create(tact::debounce(b.ref, t)), word{});
         return b.rings();
       }},
      {"resequencer", 1ns, [](sim&, engine& e, auto t) { return skipped_gap(e, t); }},
      {"idle_close", 1ns, [](sim&, engine& e, auto t) { return closed_when_idle(e, t); }},
      {"ticket_office", 1ns, [](sim&, engine& e, auto t) { return lease_over(e, e.create(tact::ticket_office(t))); }},
      {"state_machine", 1ns, [](sim&, engine& e, auto t) { return state_over(e, t); }},
  };
}

// -- the times

std::vector<nanoseconds> edges() {
  constexpr auto most = std::numeric_limits<std::int64_t>::max();
  std::vector<nanoseconds> all{nanoseconds::min(), nanoseconds::min() + 1ns, -1h, -1ns, 0ns, 1ns, 2ns, 1s, far};
  for (const std::int64_t below : {0LL, 1LL, 2LL, 511LL, 512LL, 1024LL, 3'600'000'000'000LL, 86'400'000'000'001LL})
    all.emplace_back(most - below);
  return all;
}

// Some of these, or any.
nanoseconds draw() {
  const auto all = edges();
  const auto drawn =
      rc::gen::apply([](std::int64_t bits, int shift) { return nanoseconds(bits >> shift); },
                     rc::gen::resize(rc::kNominalSize, rc::gen::arbitrary<std::int64_t>()), rc::gen::inRange(0, 64));
  return *rc::gen::oneOf(rc::gen::elementOf(all), drawn);
}

bool is_refused(const std::function<void()>& f) {
  try {
    f();
    return false;
  } catch (const tact::usage_error&) {
    return true;
  }
}

// What is wrong; empty: nothing.
std::string judge(const limit& l, nanoseconds time) {
  tact::simulation s(1);
  auto& e = s.engine(quiet_options(2));
  look has_happened;
  const bool refused = is_refused([&] { has_happened = l.begin(s, e, time); });
  const bool is_state = std::string(l.name) == "state_machine";  // refuses in a run, which fails
  if (refused) return time < l.least ? "" : "refused";
  if (time < l.least && !is_state) return "not refused";
  s.run();
  if (time <= 0ns) return has_happened() == !is_state ? "" : "did not happen at once";
  if (has_happened()) return "happened at once";
  if (time > far) {
    s.advance(far);
    return has_happened() ? "happened early, or at all" : "";
  }
  s.advance(time - 1ns);
  if (has_happened()) return "happened early";
  s.advance(1ns);
  return has_happened() ? "" : "did not happen in time";
}

void require_for_any_time(const limit& l) {
  INFO(l.name);
  for (const nanoseconds time : edges()) {
    INFO(time.count() << " ns");
    CHECK(judge(l, time) == "");
  }
  const bool holds = rc::check(std::string(l.name) + ": whatever the time", [&] {
    const nanoseconds time = draw();
    const std::string wrong = judge(l, time);
    if (!wrong.empty()) RC_FAIL(std::to_string(time.count()) + " ns: " + wrong);
  });
  CHECK(holds);
}

}  // namespace

TEST_CASE("extreme times: each limit of a pattern, and of an ask, is kept to the nanosecond, or never comes",
          "[patterns]") {
  for (const auto& some : {limits_of_calls(), limits_of_relays(), limits_of_repairs(), limits_of_states()}) {
    for (const limit& l : some) require_for_any_time(l);
  }
}

TEST_CASE("extreme times: a throttle keeps its step, or refuses one that the clock cannot say", "[patterns]") {
  const limit step{"throttle_options::per", 1ns, [](auto&, auto& e, auto t) { return throttled(e, {.per = t}); }};
  for (const nanoseconds time : edges()) {
    INFO(time.count() << " ns");
    const std::string wrong = judge(step, time);
    if (time > nanoseconds::max() / 4) {
      CHECK(wrong == "refused");
    } else {
      CHECK(wrong == "");
    }
  }
}

TEST_CASE("extreme times: the time in which restarts are counted may be any that is positive", "[patterns]") {
  // With one restart allowed, does the supervisor fail when its child fails for the second time after `gap`?
  const auto fails_behind = [](nanoseconds within, nanoseconds gap) {
    tact::simulation s(1);
    auto& e = s.engine(quiet_options(2));
    tact::supervisor all(e, {.restarts = 1, .within = within});
    const auto child = all.create(tact::restarting(
        [] { return tact::behavior<word>{[](auto&, const word&) { throw std::runtime_error("fragile"); }}; }));
    e.send(child, word{});
    s.run();
    s.advance(gap);
    e.send(child, word{});
    s.run();
    return all.has_failed();
  };
  for (const nanoseconds within : edges()) {
    INFO(within.count() << " ns");
    if (within <= 0ns) {
      CHECK(is_refused([&] { (void)fails_behind(within, 0ns); }));
    } else if (within > far) {
      CHECK(fails_behind(within, far));
    } else {
      CHECK(fails_behind(within, within - 1ns));
      CHECK_FALSE(fails_behind(within, within));
    }
  }
}

TEST_CASE("extreme times: a state may last for any duration, whatever its unit", "[patterns]") {
  const auto is_over_in_time = [](auto time) {
    tact::simulation s(1);
    const look over = state_over(s.engine(quiet_options(2)), time);
    s.run();
    s.advance(far);
    return over();
  };
  for_each_past_time([&](auto time) {
    if (!(time > time.zero())) CHECK_FALSE(is_over_in_time(time));  // the run that should begin it has failed
  });
  for_each_far_time([&](auto time) { CHECK_FALSE(is_over_in_time(time)); });
  CHECK(is_over_in_time(std::chrono::duration<double>(0.5)));
  CHECK(is_over_in_time(std::chrono::hours(1)));
}

}  // namespace extreme_times_test
