// self.idle_after where it ends, and where something is in its way: an actor's end, a restart, an engine that drains,
// words that are no messages, and memory.
#include <array>
#include <chrono>
#include <memory>
#include <new>
#include <string>
#include <vector>

#include "simulation/idler.hpp"
#include "support/captured_stderr.hpp"

namespace idle_end_test {

using namespace tact::idle_tests;
using namespace std::chrono_literals;

TEST_CASE("idle: ends with its actor, and with a restart, and leaves neither timer nor dead letter") {
  const nothing_left left;
  tact::simulation sim(7);
  notes n{sim};
  {
    tact::engine e(quiet_options(1));
    const tact::failure_rule restarts(tact::failure_policy::restart);
    const auto makes = [&n] { return open(n); };
    const auto restarted = e.create(tact::restarting(makes), restarts);
    const auto parallel = e.create(tact::restarting(makes), restarts, tact::parallel);
    const auto classic = e.spawn<keeper>(tact::restartable, restarts, std::ref(n));
    for (const tact::ref<watched> a : {tact::ref<watched>(restarted), tact::ref<watched>(parallel)}) {
      e.send(a, word{word::sets, 1s, 1});
      sim.run();
      e.send(a, word{word::sets_and_throws, 1s, 2});
    }
    e.send(classic, word{word::sets, 1s, 1});
    sim.run();
    e.send(classic, word{word::sets_and_throws, 1s, 2});
    sim.run();
    const auto ended = e.create(open(n));
    e.send(ended, word{word::sets, 1h, 3});
    sim.run();
    e.send(ended, word{word::ends});
    sim.advance(3s);
    CHECK(n.all.empty());
    CHECK(e.statistics().dead_letters == 0);
    CHECK(e.statistics().timers_armed == 0);
  }
}

TEST_CASE("idle: the object of an attached actor may go before its engine, and the watch goes with that") {
  const nothing_left left;
  tact::simulation sim(7);
  notes n{sim};
  tact::engine e(quiet_options(1));
  auto owned = std::make_unique<keeper>(n);
  e.send(e.attach(*owned, goes_on), word{word::sets, 1h, 1});
  sim.run();
  CHECK(tracked::alive != 0);
  owned.reset();
}

TEST_CASE("idle: no engine waits for it, and none names it at its end") {
  const nothing_left left;
  const std::string said = captured_stderr([] {
    {
      tact::simulation sim(7);
      notes n{sim};
      tact::engine e(quiet_options(1));
      const auto a = e.create(open(n));
      e.send(a, word{word::sets, 1h, 1});
      CHECK(e.wait_idle(1s));
      CHECK(e.statistics().timers_armed == 1);
      CHECK(e.drain(1s));
      CHECK(n.all.empty());
    }
  });
  CHECK(said.empty());
}

namespace {

struct tick {};
struct with_own_words : tact::protocol<word, idle, tact::detail::own_words<tick>, tact::ended, tact::failure> {};

tact::behavior<with_own_words> open_with_own_words(notes& n) {
  return {[](tact::self<with_own_words>& self, const word& m) { self.idle_after(m.after, idle{m.number}); },
          [&n](auto&, const idle& m) {
            n.all.push_back({n.sim.now(), m.number});
          },
          [](auto&, const tick&) {}, [](auto&, const tact::ended&) {}, [](auto&, const tact::failure&) {}};
}

}  // namespace

TEST_CASE("idle: own words of a part are no messages, failures and ends that an actor hears of are") {
  const bool is_parallel = GENERATE(false, true);
  tact::simulation sim(7);
  notes n{sim};
  tact::engine e(quiet_options(1));
  const auto a = is_parallel ? e.create(open_with_own_words(n), tact::parallel) : e.create(open_with_own_words(n));
  e.send(a, word{word::sets, 10s, 1});
  sim.advance(6s);
  e.send(a, tick{});
  sim.advance(6s);
  CHECK(n.all == std::vector<heard>{{10s, 1}});
  e.send(a, tact::failure{tact::failure_reason::timed_out, "late"});  // at 12 s
  sim.advance(9s);
  const auto other = e.create(open(n));
  e.monitor(other, tact::ref<tact::ended>(a));
  e.send(other, word{word::ends});  // at 21 s
  sim.advance(9s);
  CHECK(n.all.size() == 1);
  sim.advance(1s);
  CHECK(n.all.back() == heard{31s, 1});
}

namespace {

struct brittle {
  brittle() = default;
  brittle(const brittle& from) : load(from.load) {
    if (--copies_left == 0) throw std::runtime_error("not copied");
  }
  brittle(brittle&&) noexcept = default;
  std::array<std::string, 8> load{};  // does not fit into the queue
  tracked kept{};
  static inline int copies_left = 0;
};
struct box : tact::protocol<word, brittle> {};

}  // namespace

TEST_CASE("idle: large messages come whole, and a copy that throws is left out") {
  const nothing_left left;
  tact::simulation sim(7);
  tact::engine e(quiet_options(1));
  std::vector<nanoseconds> when;
  const auto a = e.create(tact::behavior<box>{[](tact::self<box>& self, const word&) {
                                                brittle m;
                                                m.load[7] = "a text that lies in memory of its own";
                                                self.idle_after(1s, m);
                                                brittle::copies_left = 2;
                                              },
                                              [&](auto&, const brittle& m) {
                                                CHECK(m.load[7] == "a text that lies in memory of its own");
                                                when.push_back(sim.now());
                                              }});
  e.send(a, word{});
  sim.advance(4s);
  CHECK(when == std::vector<nanoseconds>{1s, 3s, 4s});
}

TEST_CASE("idle: in an engine that runs each handler twice it comes once, and no handler differs by it") {
  for (const bool is_parallel : {false, true}) {
    tact::simulation sim(7);
    notes n{sim};
    auto options = quiet_options(2);
    options.rehearse = true;
    std::string difference;
    options.on_unrepeatable = [&](const tact::unrepeatable_handler& u) { difference = u.difference; };
    tact::engine e(options);
    const auto a = is_parallel ? e.create(open(n), goes_on, tact::parallel) : e.create(open(n), goes_on);
    e.send(a, word{word::sets, 2s, 1, true});
    e.send(a, word{word::nothing, 2s, 2, true});
    sim.advance(5s);
    e.send(a, word{word::takes_back, 2s, 3, true});
    sim.advance(5s);
    std::vector<heard> once;
    for (const heard& h : n.all) {
      if (once.empty() || !(once.back() == h)) once.push_back(h);  // each run notes what it hears
    }
    CHECK(once == std::vector<heard>{{2s, 1}, {4s, 1}});
    CHECK(difference.empty());
  }
}

TEST_CASE("idle: a time must be positive, and one that the clock cannot say never comes") {
  tact::simulation sim(7);
  notes n{sim};
  auto options = quiet_options(1);
  std::string what;
  options.on_failure = [&](const tact::failure_report& r) { what = r.what; };
  tact::engine e(options);
  const auto a = e.create(open(n), goes_on);
  e.send(a, word{word::sets, 0s, 1});
  sim.run();
  CHECK(what == "self.idle_after: the time must be positive");
  e.send(a, word{word::sets, 1s, 2});
  sim.run();
  e.send(a, word{word::sets, nanoseconds::max(), 3});
  sim.advance(std::chrono::hours(24 * 365));
  CHECK(n.all.empty());
}

TEST_CASE("idle: whichever piece of memory is refused, it comes, or it is said that it does not") {
  bool was_refused = true;
  for (std::uint64_t nth = 1; was_refused; ++nth) {
    INFO("piece of memory number " << nth);
    const nothing_left left;
    tact::simulation sim(7);
    notes n{sim};
    auto options = quiet_options(1);
    int failures = 0;
    options.on_failure = [&](const tact::failure_report&) { ++failures; };
    {
      tact::engine e(options);
      const auto a = e.create(open(n), goes_on);
      const auto b = e.create(open(n), goes_on, tact::parallel);
      sim.run();
      sim.fail_allocation(nth);
      int refused = 0;
      for (const tact::ref<watched> to : {tact::ref<watched>(a), tact::ref<watched>(b)}) {
        try {
          e.send(to, word{word::sets, 1s, 1});
        } catch (const std::bad_alloc&) {
          ++refused;
        }
      }
      sim.advance(3s);
      const auto heard_of = static_cast<int>(n.all.size());
      const auto lost = static_cast<int>(e.statistics().dead_letters);
      CHECK((refused + failures + lost != 0 || heard_of == 6));
      require_accounted(e);
    }
    was_refused = sim.has_failed_allocation();
  }
}

}  // namespace idle_end_test
