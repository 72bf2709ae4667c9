// self.idle_after in simulations, where time is virtual and each message comes at a known moment.
#include <chrono>
#include <functional>
#include <optional>
#include <vector>

#include "simulation/idler.hpp"

namespace idle_test {

namespace {

using namespace tact::idle_tests;
using namespace std::chrono_literals;
using std::chrono::nanoseconds;

struct kind {
  const char* name;
  std::function<tact::ref<watched>(tact::engine&, notes&)> make;
};
const std::vector<kind>& kinds() {
  static const auto by_number = tact::by_priority([](const word& m) { return m.number; });
  static const std::vector<kind> all{
      {"ordered", [](auto& e, notes& n) { return e.create(open(n), goes_on); }},
      {"parallel", [](auto& e, notes& n) { return e.create(open(n), tact::parallel, goes_on); }},
      {"heavy", [](auto& e, notes& n) { return e.create(open(n), tact::heavy, goes_on); }},
      {"blocking", [](auto& e, notes& n) { return e.create(open(n), tact::blocking, goes_on); }},
      {"classic", [](auto& e, notes& n) { return e.template spawn<keeper>(goes_on, std::ref(n)); }},
      {"limited", [](auto& e, notes& n) { return e.create(open(n), goes_on, tact::mailbox_limit{.messages = 1}); }},
      {"limited, parallel",
       [](auto& e, notes& n) {
         return e.create(open(n), tact::parallel, goes_on, tact::mailbox_limit{.messages = 1});
       }},
      {"dropping",
       [](auto& e, notes& n) {
         return e.create(open(n), goes_on,
                         tact::mailbox_limit{.messages = 1, .when_full = tact::when_full::drop_oldest});
       }},
      {"by priority", [](auto& e, notes& n) { return e.create(open(n), goes_on, by_number); }},
  };
  return all;
}

// What idle_after promises, in the fewest words.
class model {
 public:
  void advance_to(nanoseconds now) {
    for (; wish_ && last_ + wish_->when <= now; last_ += wish_->when)
      all.push_back({last_ + wish_->when, wish_->number});
  }
  void handle(nanoseconds now, const word& m) {
    last_ = now;
    if (m.what == word::takes_back) wish_.reset();
    if (m.what == word::sets || m.what >= word::sets_twice) wish_ = {m.after, m.number};
  }
  std::vector<heard> all;

 private:
  nanoseconds last_{0};
  std::optional<heard> wish_;
};

word random_word(dice& d, int number) {
  // The odd microsecond keeps the moment away from those of the words.
  const auto after = nanoseconds(10ms) * (1 + d.below(40)) + 1us;
  const auto what = d.one_in(3) ? static_cast<word::does>(1 + d.below(6)) : word::nothing;
  return {what, after, number, d.one_in(3)};
}

}  // namespace

TEST_CASE("idle: comes when so much time has passed behind the last message, and again, as a model says") {
  TACT_SEEDED(seed);
  const nothing_left left;
  for (const kind& k : kinds()) {
    for (int n = 0; n < scaled(150); ++n) {
      dice d(seed + static_cast<std::uint64_t>(n));
      tact::simulation sim(d.next());
      notes kept{sim};
      model m;
      {
        tact::engine e(quiet_options(1 + static_cast<unsigned>(d.below(3))));
        const auto a = k.make(e, kept);
        for (int i = 1; i <= 20; ++i) {
          sim.advance(10ms * d.below(d.one_in(4) ? 200 : 20));
          m.advance_to(sim.now());
          const word w = random_word(d, i);
          m.handle(sim.now(), w);
          e.send(a, w);
          sim.run();
        }
        sim.advance(1s);
        m.advance_to(sim.now());
        require_accounted(e);
      }
      INFO(k.name << ", " << n);
      REQUIRE(kept.all == m.all);
    }
  }
}

namespace {

// Answers when somebody tells it to.
struct answer_now {};
struct oracle : tact::protocol<tact::request<question>, answer_now> {};
tact::behavior<oracle> open_oracle(tact::ref<int> waiting = {}) {
  return {[](tact::self<oracle>& self, const tact::request<question>& m) {
            self.defer(m);
            self.become(open_oracle(m.customer));
          },
          [=](tact::self<oracle>& self, const answer_now&) { self.send(waiting, 1); }};
}

struct inquire {};
struct inquirer : tact::protocol<inquire, word, idle> {};
tact::behavior<inquirer> open_inquirer(tact::ref<oracle> to, notes& n, bool sets_behind) {
  return {[=, &n](tact::self<inquirer>& self, const inquire&) {
            if (!sets_behind) self.idle_after(1s, idle{1});
            self.ask(to, question{});
            if (sets_behind) self.idle_after(1s, idle{1});
            self.become(open_inquirer(to, n, sets_behind));
          },
          [](auto&, const word&) {},
          [&n](auto&, const idle& m) {
            n.all.push_back({n.sim.now(), m.number});
          }};
}

}  // namespace

TEST_CASE("idle: a handler that waits keeps the actor busy, and what came meanwhile is handled first") {
  const bool sets_behind = GENERATE(false, true);
  const bool is_blocking = GENERATE(false, true);
  tact::simulation sim(7);
  notes n{sim};
  tact::engine e(quiet_options(2));
  const auto asked = e.create(open_oracle());
  auto b = open_inquirer(asked, n, sets_behind);
  const auto a = is_blocking ? e.create(std::move(b), tact::blocking) : e.create(std::move(b));
  e.send(a, inquire{});
  sim.advance(10s);
  e.send(a, word{});
  sim.advance(10s);
  CHECK(n.all.empty());
  e.send(asked, answer_now{});
  sim.advance(1s - 1ns);
  CHECK(n.all.empty());
  sim.advance(1ns);
  CHECK(n.all == std::vector<heard>{{21s, 1}});
}

namespace {

struct begin {};
struct asks_itself : tact::protocol<begin, inquire, word, idle> {};

}  // namespace

TEST_CASE("idle: a parallel actor is busy as long as one of its handlers waits") {
  tact::simulation sim(7);
  notes n{sim};
  tact::engine e(quiet_options(2));
  const auto asked = e.create(open_oracle());
  const auto a = e.create(
      tact::behavior<asks_itself>{[](tact::self<asks_itself>& self, const begin&) { self.idle_after(1s, idle{1}); },
                                  [=](tact::self<asks_itself>& self, const inquire&) { self.ask(asked, question{}); },
                                  [](auto&, const word&) {},
                                  [&n](auto&, const idle& m) {
                                    n.all.push_back({n.sim.now(), m.number});
                                  }},
      tact::parallel);
  e.send(a, begin{});
  sim.run();
  e.send(a, inquire{});
  sim.advance(5s);
  e.send(a, word{});
  sim.advance(5s);
  CHECK(n.all.empty());
  e.send(asked, answer_now{});
  sim.advance(2s);
  CHECK(n.all == std::vector<heard>{{11s, 1}, {12s, 1}});
}

namespace {

// Asks when it is told to; the answer is a message of its own, in which it becomes.
tact::behavior<asks_itself> open_asker(tact::ref<oracle> to, notes& n) {
  return {[](tact::self<asks_itself>& self, const begin&) { self.idle_after(10s, idle{1}); },
          [=, &n](tact::self<asks_itself>& self, const inquire&) {
            self.ask_here(to, question{},
                          [=, &n](tact::self<asks_itself>& me, const int&) { me.become(open_asker(to, n)); });
          },
          [](auto&, const word&) {},
          [&n](auto&, const idle& m) {
            n.all.push_back({n.sim.now(), m.number});
          }};
}

}  // namespace

TEST_CASE("idle: an actor that waits for no answer is idle meanwhile, and the answer is a message") {
  const bool is_parallel = GENERATE(false, true);
  tact::simulation sim(7);
  notes n{sim};
  tact::engine e(quiet_options(2));
  const auto asked = e.create(open_oracle());
  auto b = open_asker(asked, n);
  const auto a = is_parallel ? e.create(std::move(b), tact::parallel) : e.create(std::move(b));
  e.send(a, begin{});
  sim.run();
  e.send(a, inquire{});
  sim.advance(15s);
  e.send(asked, answer_now{});
  sim.advance(15s);
  CHECK(n.all == std::vector<heard>{{10s, 1}, {25s, 1}});
}

TEST_CASE("idle: what waits when the turn of the actor comes is handled first, and makes it busy") {
  const bool is_parallel = GENERATE(false, true);
  tact::simulation sim(7);
  notes n{sim};
  tact::engine e(quiet_options(0));
  const auto a = is_parallel ? e.create(open(n), tact::parallel) : e.create(open(n));
  e.send(a, word{word::sets, 1s, 1});
  e.run_until_idle();
  sim.advance(5s);  // nobody runs the engine
  e.send(a, word{});
  e.run_until_idle();
  CHECK(n.all.empty());
  sim.advance(1s);
  e.run_until_idle();
  CHECK(n.all == std::vector<heard>{{6s, 1}});
}

TEST_CASE("idle: of becomes that collide none loses the watch") {
  require_in_every_order(300, [](tact::simulation& sim) {
    notes n{sim};
    tact::engine e(quiet_options(3));
    const auto a = e.create(open(n), tact::parallel);
    for (int i = 0; i < 4; ++i) {
      e.send(a, word{.what = word::nothing, .number = i, .becomes = true});
      e.send(a, word{i < 2 ? word::sets : word::nothing, 1s, i, i % 2 == 1});
    }
    sim.advance(3s);
    sim.check(n.all.size() == 3, "it comes once in each second");
    require_accounted(e);
  });
}

}  // namespace idle_test
