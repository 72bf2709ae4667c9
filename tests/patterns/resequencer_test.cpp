// tact::resequencer: numbered messages come in order; gaps and repetitions are told, whatever fails.
#include "tact/patterns/resequencer.hpp"

#include <map>
#include <set>

#include "patterns/trouble.hpp"

namespace resequencer_test {

namespace {

using namespace std::chrono_literals;
using namespace tact::patterns_tests;
using number = std::uint64_t;

constexpr auto limit = 1s;

struct line {
  number n;
  tracked instance{};
};

// What came, what is known to be missing, and what came in vain.
struct journal {
  std::vector<number> came{};
  std::vector<number> skipped{};
  std::vector<number> in_vain{};
  bool in_context = true;
};
using journal_of = std::shared_ptr<journal>;

tact::behavior<line> reader(journal_of j) {
  return {[j](auto& self, const line& m) {
    j->came.push_back(m.n);
    if (self.context().trace() != m.n) j->in_context = false;
  }};
}
tact::behavior<tact::sequence_trouble> watcher(journal_of j) {
  return {
      [j](auto&, const tact::sequence_gap& g) {
        for (number n = g.from; n <= g.to; ++n) j->skipped.push_back(n);
      },
      [j](auto&, const tact::out_of_sequence& m) { j->in_vain.push_back(m.number); },
  };
}

bool rises(const std::vector<number>& all) {
  return std::adjacent_find(all.begin(), all.end(), [](number a, number b) { return a >= b; }) == all.end();
}

constexpr number count = 8;

// Two threads send 1 to 8, but `missing`, in different orders, and one of them twice.
template <class Make>
void two_threads_send(tact::simulation& sim, const trouble& t, number missing, const Make& make) {
  auto& engine = sim.engine(quiet_options(3));
  const auto j = std::make_shared<journal>();
  const auto gate = engine.create(make(engine.create(reader(j)), engine.create(watcher(j))));
  const auto sent = std::make_shared<std::set<number>>();
  t.begin();
  const auto send = [=, &engine](number n) {
    if (n == missing) return;
    const bool done = t.tries([&] {
      tact::with_context(tact::context().with_trace(n), [&] { engine.send(gate, tact::numbered<line>{n, {n}}); });
    });
    if (done) sent->insert(n);
  };
  sim.start_thread([=] {
    for (const number n : {2U, 1U, 5U, 3U}) send(n);
  });
  sim.start_thread([=] {
    for (const number n : {8U, 4U, 6U, 7U, 4U}) send(n);
  });
  sim.run();
  if (t.is_none()) {
    sim.check(j->came.size() == (missing == 0 ? count : missing - 1), "something is held that is in order");
    sim.advance(limit - 1ms);
    sim.check(j->skipped.empty(), "a gap was skipped too early");
    sim.advance(1ms);
    sim.check(j->skipped == (missing == 0 ? std::vector<number>() : std::vector<number>{missing}), "no gap was told");
    sim.check(j->in_vain == std::vector<number>{4} || missing == 4, "a repetition was not told");
  }
  sim.advance(10s);
  sim.check(rises(j->came), "the order is another one");
  sim.check(j->in_context, "a message came in another context");
  std::set<number> known(j->came.begin(), j->came.end());
  sim.check(t.is_none() || known.size() + 1 >= sent->size(), "more than one message was lost");
  known.insert(j->skipped.begin(), j->skipped.end());
  const number last = j->came.empty() ? 0 : j->came.back();
  sim.check(known.size() >= (t.is_none() ? count : last), "a message is missing, and was not told");
  sim.end();
}

const auto as_it_is = [](tact::ref<line> to, tact::ref<tact::sequence_trouble> told) {
  return tact::resequencer<line>(to, told, limit);
};

}  // namespace

TEST_CASE("resequencer: all come in order, repetitions and gaps are told in time, whatever fails", "[law1][law5]") {
  const number missing = GENERATE(number{0}, number{1}, number{4});
  require_whatever_fails([=](tact::simulation& sim, const trouble& t) { two_threads_send(sim, t, missing, as_it_is); });
}

namespace {

// Believes that its run for the end of a gap cannot be lost, and cannot come for a gap that has closed.
struct over {};
struct hasty : tact::protocol<tact::numbered<line>, over> {};
using held_lines = std::map<number, std::pair<line, tact::context>>;
tact::behavior<hasty> open_hasty(tact::ref<line> to, tact::ref<tact::sequence_trouble> told, number next = 1,
                                 held_lines held = {}) {
  const auto pass = [=](tact::self<hasty>& self, number from, held_lines left) {
    for (; !left.empty() && left.begin()->first == from; ++from) {
      tact::with_context(left.begin()->second.second, [&] { self.send(to, left.begin()->second.first); });
      left.erase(left.begin());
    }
    self.become(open_hasty(to, told, from, left));
  };
  return {
      [=](tact::self<hasty>& self, const tact::numbered<line>& m) {
        if (m.number < next || held.count(m.number) != 0) return self.send(told, tact::out_of_sequence{m.number});
        held_lines more = held;
        more.emplace(m.number, std::pair(m.message, self.context()));
        if (m.number != next && held.empty()) self.send_after(limit, self.ref(), over{});
        pass(self, next, more);
      },
      [=](tact::self<hasty>& self, const over&) {
        if (held.empty()) return;
        self.send(told, tact::sequence_gap{next, held.begin()->first - 1});
        pass(self, held.begin()->first, held);
      },
  };
}
void send_to_hasty(tact::simulation& sim, const trouble& t) {
  two_threads_send(sim, t, 4, [](tact::ref<line> to, auto told) { return open_hasty(to, told); });
}

}  // namespace

TEST_CASE("resequencer: one that waits for ever when the run for a gap's end fails is found", "[law8]") {
  bool has_come = false;
  require_holds(scaled(200), trouble::kind::none, 0, send_to_hasty, has_come);
  require_found_when_it_fails(send_to_hasty);
}

TEST_CASE("resequencer: without limits that make sense none is made, and nobody need hear of trouble", "[law8]") {
  CHECK_THROWS_AS(tact::resequencer<line>({}, {}, 0s), tact::usage_error);
  const nothing_left left;
  tact::engine engine(quiet_options(1));
  const auto j = std::make_shared<journal>();
  const auto gate = engine.create(tact::resequencer<line>(engine.create(reader(j)), {}, 1h, 7));
  engine.send(gate, tact::numbered<line>{6, {6}});
  engine.send(gate, tact::numbered<line>{8, {8}});
  engine.send(gate, tact::numbered<line>{7, {7}});
  engine.send(gate, tact::numbered<line>{9, {9}});
  require_idle(engine);
  CHECK(engine.statistics().messages_sent == 2 * 3 + 1);
  CHECK(j->came == std::vector<number>{7, 8, 9});
  CHECK(engine.statistics().dead_letters == 0);
}

TEST_CASE("resequencer: what four threads send in any order comes in one", "[law4][law5]") {
  TACT_FOR_EACH_THREAD_COUNT(workers);
  const nothing_left left;
  tact::engine engine(quiet_options(workers));
  const auto j = std::make_shared<journal>();
  const auto gate = engine.create(tact::resequencer<line>(engine.create(reader(j)), engine.create(watcher(j)), 1h));
  const number each = number(scaled(1'000));
  on_threads(4, [&](unsigned thread) {
    for (number i = 0; i < each; ++i) {
      const number n = 1 + i * 4 + (i % 2 == 0 ? thread : 3 - thread);
      engine.send(gate, tact::numbered<line>{n, {n}});
    }
  });
  require_idle(engine);
  CHECK(j->came.size() == 4 * each);
  CHECK(rises(j->came));
  CHECK(j->in_vain.empty());
}

}  // namespace resequencer_test
