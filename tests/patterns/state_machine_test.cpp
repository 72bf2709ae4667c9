// tact::state_machine: it does what a table of its transitions says, on time, and each request is told once.
#include "tact/patterns/state_machine.hpp"

#include "patterns/customers.hpp"
#include "patterns/trouble.hpp"
#include "tact/patterns/detail/mix.hpp"

namespace state_machine_test {

namespace {

using namespace std::chrono_literals;
using namespace tact::patterns_tests;
using tact::request;
using tact::state_timeout;

// -- a turnstile that is locked again after ten seconds
struct coin {};
struct push {};
struct look {
  using reply = std::string;
};
struct turnstile : tact::protocol<coin, push, request<look>> {};

// What the states do at their beginning and end.
struct log {
  std::string text{};
};
using shared_log = std::shared_ptr<log>;

struct unlocked;
struct locked {
  static constexpr auto otherwise = tact::unhandled::dead_letter;

  unlocked operator()(auto&, const coin&) const;
  void operator()(auto& self, const request<look>& m) const { self.reply(m, "locked " + std::to_string(passed)); }
  void enter(auto&) const { book->text += 'L'; }
  void leave(auto&) const { book->text += 'l'; }

  shared_log book;
  int passed = 0;
};
struct unlocked {
  void operator()(auto&, const coin&) const {}
  locked operator()(auto&, const push&) const { return {book, passed + 1}; }
  locked operator()(auto&, const state_timeout&) const { return {book, passed}; }
  void operator()(auto& self, const request<look>& m) const { self.reply(m, "unlocked " + std::to_string(passed)); }
  [[nodiscard]] std::chrono::seconds time_limit() const { return 10s; }
  void enter(auto&) const { book->text += 'U'; }
  void leave(auto&) const { book->text += 'u'; }

  shared_log book;
  int passed;
};
unlocked locked::operator()(auto&, const coin&) const { return {book, passed}; }

// The same as a table.
struct model {
  bool is_locked = true;
  int passed = 0;
  int since = 0;
  int now = 0;
  std::string book{};

  void begin() { book = book.empty() ? "L" : book; }
  void lock() {
    is_locked = true;
    book += "uL";
  }
  void pass_time(int seconds) {
    now += seconds;
    if (!is_locked && now - since >= 10) lock();
  }
  void take_coin() {
    begin();
    if (!is_locked) return;
    is_locked = false;
    since = now;
    book += "lU";
  }
  void take_push() {
    begin();
    if (is_locked) return;
    ++passed;
    lock();
  }
  [[nodiscard]] std::string text() const { return (is_locked ? "locked " : "unlocked ") + std::to_string(passed); }
};

// Random messages and times.
template <class Make>
void behaves_like_the_model(tact::simulation& sim, std::uint64_t seed, const Make& make) {
  auto& engine = sim.engine(quiet_options(2));
  const auto book = std::make_shared<log>();
  const auto gate = engine.create(make(book));
  model expected;
  for (int i = 0; i < 60; ++i) {
    const std::uint64_t random = tact::detail::mix(seed * 1'000 + static_cast<std::uint64_t>(i));
    if (random % 3 == 0) {
      engine.send(gate, coin{});
      expected.take_coin();
    } else if (random % 3 == 1) {
      engine.send(gate, push{});
      expected.take_push();
    }
    sim.run();
    const int seconds = static_cast<int>(random / 3 % 8);
    sim.advance(std::chrono::seconds(seconds));
    expected.pass_time(seconds);
    if (random / 24 % 4 == 0) {
      expected.begin();
      sim.check(engine.ask(gate, look{}) == expected.text(), "another state than that of the model");
    }
    sim.check(book->text == expected.book, "other actions than those of the model");
  }
  sim.advance(10s);
  sim.check(engine.statistics().timers_armed == 0, "the timer of a state that was left goes on");
  sim.end();
}

// The time of a state ends when somebody leaves it, and enters it again.
void time_ends_at_a_transition(tact::simulation& sim) {
  auto& engine = sim.engine(quiet_options(2));
  const auto gate = engine.create(tact::state_machine<turnstile>(locked{std::make_shared<log>()}));
  engine.send_after(10s, gate, push{});
  engine.send_after(10s, gate, coin{});
  engine.send(gate, coin{});
  sim.run();
  sim.advance(19s);
  const std::string text = engine.ask(gate, look{});
  sim.check(text == "unlocked 1" || text == "unlocked 0", "a timeout of a state that was left is taken for another");
  sim.end();
}

// Its timers are not numbered, and not cancelled.
struct timed_out {};
struct careless : tact::protocol<turnstile, timed_out> {};
tact::behavior<careless> open_careless(shared_log book, bool is_locked, int passed) {
  return {
      [=](tact::self<careless>& self, const coin&) {
        if (book->text.empty()) book->text = "L";
        if (!is_locked) return;
        book->text += "lU";
        self.send_after(10s, self.ref(), timed_out{});
        self.become(open_careless(book, false, passed));
      },
      [=](tact::self<careless>& self, const push&) {
        if (book->text.empty()) book->text = "L";
        if (is_locked) return;
        book->text += "uL";
        self.become(open_careless(book, true, passed + 1));
      },
      [=](tact::self<careless>& self, const timed_out&) {
        if (is_locked) return;
        book->text += "uL";
        self.become(open_careless(book, true, passed));
      },
      [=](tact::self<careless>& self, const request<look>& m) {
        if (book->text.empty()) book->text = "L";
        self.reply(m, (is_locked ? "locked " : "unlocked ") + std::to_string(passed));
      },
  };
}

// -- a connection: data wait until it is open, it tries three times, and is closed after that
struct connect {};
struct accepted {};
struct data {
  using reply = int;
  int number = 0;
  tracked instance{};
};
struct connection : tact::protocol<connect, accepted, request<data>> {};
struct attempt {};

struct closed {
  static constexpr auto otherwise = tact::unhandled::waits;
  auto operator()(auto&, const connect&) const;
  tact::ref<attempt> network;
};
struct refused {
  void operator()(tact::transaction& tx, const request<data>& m) const {
    tx.fail(m, tact::failure{tact::failure_reason::timed_out, "nobody is there"});
  }
  void operator()(tact::transaction&, const accepted&) const {}
  void operator()(tact::transaction&, const connect&) const {}
};
struct established {
  void operator()(tact::transaction& tx, const request<data>& m) const { tx.reply(m, m.body.number); }
  void operator()(tact::transaction&, const accepted&) const {}
  void operator()(tact::transaction&, const connect&) const {}
};
struct connecting {
  static constexpr auto otherwise = tact::unhandled::waits;
  established operator()(auto&, const accepted&) const { return {}; }
  void operator()(auto&, const connect&) const {}
  std::variant<connecting, refused> operator()(auto&, const state_timeout&) const {
    if (attempts == 3) return refused{};
    return connecting{network, attempts + 1};
  }
  [[nodiscard]] std::chrono::milliseconds time_limit() const { return 500ms; }
  void enter(tact::transaction& tx) const { tx.send(network, attempt{}); }

  tact::ref<attempt> network;
  int attempts = 1;
};
auto closed::operator()(auto&, const connect&) const { return connecting{network}; }

struct set_up {
  int answers_attempt;  // of those of the connection; 0: none
  bool parallel = false;
  bool ends = false;
};

struct real_connection {
  tact::behavior<tact::state_machine_protocol<connection>> operator()(tact::ref<attempt> network) const {
    return tact::state_machine<connection>(closed{network});
  }
};

template <class Make>
void data_wait_for_the_connection(tact::simulation& sim, const trouble& t, const set_up& how, const Make& make) {
  auto& engine = sim.engine(quiet_options(3));
  const auto tries = std::make_shared<std::atomic<int>>(0);
  const auto peer = std::make_shared<tact::ref<accepted>>();
  const auto network = engine.create(tact::behavior<attempt>{[=](auto& self, const attempt&) {
    if (++*tries == how.answers_attempt) self.send(*peer, accepted{});
  }});
  auto owner = how.parallel ? engine.create(make(network), tact::parallel, tact::owned)
                            : engine.create(make(network), tact::owned);
  const auto line = owner.ref();
  *peer = tact::ref<accepted>(line);
  const auto all = std::make_shared<customers<int>>(5);
  all->enter(engine, [&sim](auto&, std::size_t n, int answer) { sim.check(std::size_t(answer) == n, "wrong data"); });
  t.begin();
  for (int thread = 0; thread < 2; ++thread) {
    sim.start_thread([=, &engine] {
      for (int n = thread; n < 4; n += 2) {
        all->ask(t, engine, line, std::size_t(n), data{n});
        if (n == 2) t.tries([&] { engine.send(line, connect{}); });
      }
    });
  }
  sim.run();
  if (how.ends) owner.reset();
  sim.run();
  sim.advance(3s);
  if (!t.is_none()) {  // the connect, or the answer of the network, may be what was lost
    if (!how.ends && *tries == 0) engine.send(line, connect{});
    sim.advance(3s);
  }
  all->ask(t, engine, line, 4, data{4});
  sim.run();
  all->check(sim, t);
  if (t.is_none() && !how.ends) {
    sim.check(*tries == (how.answers_attempt == 0 ? 3 : how.answers_attempt), "another number of attempts");
    sim.check(all->answers() == (how.answers_attempt == 0 ? 0 : 5), "data failed without a reason, or the reverse");
  }
  owner.reset();
  sim.end();
}

// A connection by hand, whose time is told once: a run that fails then is not followed by another one.
struct time_over {};
struct by_hand : tact::protocol<connection, time_over> {};
tact::behavior<by_hand> open_by_hand(tact::ref<attempt> network, tact::stash<connection> waiting, int attempts) {
  const auto settle = [=](tact::self<by_hand>& self, bool accepted) {
    waiting.give_back(self, self.ref());
    self.become({[=](tact::transaction& tx, const request<data>& m) {
                   accepted ? tx.reply(m, m.body.number) : tx.fail(m, tact::failure{});
                 },
                 [](auto&, const auto&) {}});
  };
  return {
      [=](tact::self<by_hand>& self, const request<data>& m) {
        self.become(open_by_hand(network, waiting.put(self, m), attempts));
      },
      [=](tact::self<by_hand>& self, const connect&) {
        self.send(network, attempt{});
        self.send_after(500ms, self.ref(), time_over{});
        self.become(open_by_hand(network, waiting, 1));
      },
      [=](tact::self<by_hand>& self, const accepted&) { settle(self, true); },
      [=](tact::self<by_hand>& self, const time_over&) {
        if (attempts == 3) return settle(self, false);
        self.send(network, attempt{});
        self.send_after(500ms, self.ref(), time_over{});
        self.become(open_by_hand(network, waiting, attempts + 1));
      },
  };
}

// -- a state of each other kind
struct poke {
  using reply = int;
};
struct poked : tact::protocol<request<poke>, coin> {};
struct strict {
  void operator()(auto&, const coin&) const {}
};
struct patient {
  [[nodiscard]] std::chrono::seconds time_limit() const { return 1s; }
  std::optional<strict> operator()(auto& self, const state_timeout&) const {
    ++*timeouts;
    static_cast<void>(self);
    return {};
  }
  std::optional<patient> operator()(auto& self, const request<poke>& m) const {
    self.reply(m, *timeouts);
    return {};
  }
  void operator()(auto& self, const coin&) const { self.stop(); }
  std::shared_ptr<std::atomic<int>> timeouts;
};

}  // namespace

TEST_CASE("state machine: random messages and times lead where a table says, with the actions of its states",
          "[law1][law3]") {
  const nothing_left left;
  TACT_SEEDED(seed);
  const auto e = tact::explore(static_cast<std::uint64_t>(scaled(1'000)),
                               [n = seed](tact::simulation& sim) mutable {
                                 behaves_like_the_model(
                                     sim, ++n, [](shared_log b) { return tact::state_machine<turnstile>(locked{b}); });
                               },
                               {.seed = seed, .shrinking_runs = 0, .prints = false});
  INFO(e.text());
  CHECK(!e.failed);
}

TEST_CASE("state machine: a timeout of a state that was left is not taken for one of the state that is", "[law1]") {
  TACT_SEEDED(seed);
  const nothing_left left;
  const auto e = tact::explore(static_cast<std::uint64_t>(scaled(2'000)), time_ends_at_a_transition,
                               {.seed = seed, .shrinking_runs = 0, .prints = false});
  INFO(e.text());
  CHECK(!e.failed);
}

TEST_CASE("state machine: one whose timers outlive their states is found", "[law1]") {
  TACT_SEEDED(seed);
  const auto e =
      tact::explore(200,
                    [n = seed](tact::simulation& sim) mutable {
                      behaves_like_the_model(sim, ++n, [](shared_log b) { return open_careless(b, true, 0); });
                    },
                    {.seed = seed, .shrinking_runs = 0, .prints = false});
  CHECK(e.failed);
}

TEST_CASE("state machine: requests wait for their state, and each is told once, whatever fails", "[law1][law8]") {
  const int answers = GENERATE(0, 1, 2);
  const bool parallel = GENERATE(false, true);
  require_whatever_fails([=](tact::simulation& sim, const trouble& t) {
    data_wait_for_the_connection(sim, t, {.answers_attempt = answers, .parallel = parallel}, real_connection());
  });
}

TEST_CASE("state machine: when it ends, requests that wait are told once, whatever fails", "[law8]") {
  require_whatever_fails([](tact::simulation& sim, const trouble& t) {
    data_wait_for_the_connection(sim, t, {.answers_attempt = 0, .ends = true}, real_connection());
  });
}

TEST_CASE("state machine: one that misses its time when a run has failed is found", "[law8]") {
  require_found_when_it_fails([](tact::simulation& sim, const trouble& t) {
    data_wait_for_the_connection(sim, t, {.answers_attempt = 0},
                                 [](tact::ref<attempt> network) { return open_by_hand(network, {}, 0); });
  });
}

TEST_CASE("state machine: a message that no state handles fails, and a state that stays has one timeout", "[law4]") {
  const nothing_left left;
  tact::simulation sim(1);
  auto& engine = sim.engine(quiet_options(1));
  const auto firm = engine.create(tact::state_machine<poked>(strict{}));
  CHECK_THROWS_WITH(engine.ask(firm, poke{}), Catch::Contains("the state") && Catch::Contains("does not handle"));
  const auto timeouts = std::make_shared<std::atomic<int>>(0);
  const auto calm = engine.create(tact::state_machine<poked>(patient{timeouts}));
  engine.send(calm, tact::start_states{});
  engine.send(calm, tact::start_states{});
  sim.advance(999ms);
  CHECK(*timeouts == 0);
  sim.advance(1ms);
  CHECK(*timeouts == 1);
  sim.advance(1h);
  CHECK(engine.ask(calm, poke{}) == 1);
  engine.send(calm, coin{});
  sim.run();
  CHECK_THROWS_AS(engine.ask(calm, poke{}), tact::ask_error);
}

TEST_CASE("state machine: many threads put data behind a connection, and all arrive", "[law4][law13]") {
  TACT_FOR_EACH_THREAD_COUNT(workers);
  const bool parallel = GENERATE(false, true);
  const nothing_left left;
  tact::engine engine(quiet_options(workers));
  const auto peer = std::make_shared<tact::ref<accepted>>();
  const auto network =
      engine.create(tact::behavior<attempt>{[=](auto& self, const attempt&) { self.send(*peer, accepted{}); }});
  auto machine = tact::state_machine<connection>(closed{network});
  const auto line = parallel ? engine.create(std::move(machine), tact::parallel) : engine.create(std::move(machine));
  *peer = tact::ref<accepted>(line);
  std::atomic<int> right{0};
  on_threads(4, [&](unsigned thread) {
    if (thread == 3) engine.send(line, connect{});
    for (int i = 0; i < 100; ++i) right += engine.ask(line, data{i}) == i ? 1 : 0;
  });
  require_idle(engine);
  CHECK(right == 400);
}

}  // namespace state_machine_test
