// self.idle_after in simulations, where time is virtual and each message comes at a known moment.
#include <array>
#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "simulation/office.hpp"
#include "support/captured_stderr.hpp"

namespace idle_test {

namespace {

using namespace tact::simulated_tests;
using namespace std::chrono_literals;
using std::chrono::nanoseconds;

struct idle {
  int number;
  tracked kept{};
};
// What a handler does, beside being one.
struct word {
  enum does {
    nothing,
    sets,
    takes_back,
    sets_and_throws,
    sets_and_discards,
    sets_twice,
    takes_back_and_sets,
    ends
  } what;
  nanoseconds after{0};
  int number = 0;
  bool becomes = false;
};
struct question {
  using reply = int;
};
struct watched : tact::protocol<word, idle, tact::request<question>> {};

struct heard {
  nanoseconds when;
  int number;
  friend bool operator==(const heard&, const heard&) = default;
  friend std::ostream& operator<<(std::ostream& out, const heard& h) {
    return out << h.number << " at " << h.when.count() << " ns";
  }
};
struct notes {
  tact::simulation& sim;
  std::vector<heard> all{};
};

template <class Self>
void act(Self& self, const word& m) {
  if (m.what == word::takes_back || m.what == word::takes_back_and_sets) self.never_idle();
  if (m.what == word::sets_twice) self.idle_after(m.after / 2, idle{-1});
  if (m.what == word::ends) return self.stop();
  if (m.what >= word::sets && m.what != word::takes_back) self.idle_after(m.after, idle{m.number});
  if (m.what == word::sets_and_throws) throw std::runtime_error("refused");
  if (m.what == word::sets_and_discards) self.discard();
}

tact::behavior<watched> open(notes& n) {
  return {[&n](tact::self<watched>& self, const word& m) {
            if (m.becomes && m.number % 2 == 0) self.become(open(n));
            act(self, m);
            if (m.becomes && m.number % 2 != 0) self.become(open(n));
          },
          [&n](auto&, const idle& m) {
            n.all.push_back({n.sim.now(), m.number});
          },
          [](auto& self, const tact::request<question>& m) { self.reply(m, 1); }};
}

class keeper : public tact::actor<keeper, watched> {
 public:
  explicit keeper(notes& n) : notes_(n) {}
  void receive(tact::self<keeper>& self, const word& m) { act(self, m); }
  void receive(tact::self<keeper>&, const idle& m) { notes_.all.push_back({notes_.sim.now(), m.number}); }
  void receive(tact::self<keeper>& self, const tact::request<question>& m) { self.reply(m, 1); }

 private:
  notes& notes_;
};

const tact::failure_rule goes_on(tact::failure_policy::go_on);
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

}  // namespace idle_test
