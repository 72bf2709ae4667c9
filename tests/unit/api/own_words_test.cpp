// What an actor of the library tells itself: no limit holds for it, no order puts it behind, and nothing else gets past
// a limit that way.
#include "support/engine_fixture.hpp"
#include "tact/patterns.hpp"

namespace own_words_test {

namespace {

using namespace tact::support;
using tact::mailbox_limit;
using tact::when_full;

struct item {
  int number;
};
struct over {
  int number;
};
// As the protocols of tact/patterns; and one that includes such a protocol.
struct part : tact::protocol<item, tact::detail::own_words<over>> {};
struct program : tact::protocol<part> {};

using numbers = std::vector<int>;
template <class P>
tact::behavior<P> notes(numbers& seen) {
  return {
      [&seen](auto&, const item& m) { seen.push_back(m.number); },
      [&seen](auto&, const over& m) { seen.push_back(-m.number); },
  };
}

constexpr when_full policies[] = {when_full::reject, when_full::drop_newest, when_full::drop_oldest,
                                  when_full::hold_back};

// Three items and three own words, in turns, sent by a handler.
template <class P>
void send_in_turns(tact::engine& engine, tact::ref<P> to) {
  engine.send(engine.create(tact::behavior<item>{[to](auto& self, const item&) {
    for (int i = 1; i <= 3; ++i) {
      self.send(to, item{i});
      self.send(to, over{i});
    }
  }}),
              item{0});
  require_idle(engine);
}

}  // namespace

TEST_CASE("own words: they find a full mailbox open, and nothing else does", "[api][pressure]") {
  for (const when_full policy : policies) {
    INFO(static_cast<int>(policy));
    numbers seen;
    tact::engine engine(quiet_options(0));
    send_in_turns(engine, engine.create(notes<part>(seen), mailbox_limit{.messages = 1, .when_full = policy}));
    CHECK(std::count_if(seen.begin(), seen.end(), [](int n) { return n < 0; }) == 3);
    const auto items = std::count_if(seen.begin(), seen.end(), [](int n) { return n > 0; });
    CHECK(items == (policy == when_full::hold_back ? 3 : 1));
    CHECK(engine.statistics().refused == static_cast<std::uint64_t>(3 - items));
  }
}

TEST_CASE("own words: those of a protocol that a program includes count like any message", "[api][pressure]") {
  numbers seen;
  tact::engine engine(quiet_options(0));
  send_in_turns(engine, engine.create(notes<program>(seen), mailbox_limit{.messages = 1}));
  CHECK(seen == numbers{1});
  CHECK(engine.statistics().refused == 5);
}

TEST_CASE("own words: they have no rank, and wait for as many messages as came before them", "[api][order]") {
  numbers seen;
  tact::engine engine(quiet_options(0));
  const auto to = engine.create(notes<part>(seen), tact::by_priority(tact::handled_first<item>));
  send_in_turns(engine, to);
  CHECK(seen == numbers{1, -1, 2, -2, 3, -3});
}

TEST_CASE("own words: messages that never end keep no lease from ending, whatever their priority", "[api][order]") {
  tact::engine engine(quiet_options(0));
  const auto office = engine.create(tact::ticket_office(std::chrono::hours(1)),
                                    tact::by_priority(tact::handled_first<tact::request<tact::ticket_lease>>));
  int asked = 0;
  int granted = 0;
  bool has_second = false;
  // Two items go round, and each time leave requests between them: so one always waits at the office.
  struct crowd : tact::protocol<item, tact::ticket, tact::failure> {};
  const auto all = engine.create(tact::behavior<crowd>{
      [&, office](auto& self, const item& m) {
        self.send(office, tact::request<tact::ticket_lease>{self.ref(), {}});
        self.send(office, tact::request<tact::ticket_lease>{self.ref(), {}});
        if (++asked < 1'000 && !has_second) self.send(self.ref(), m);
      },
      [&](auto& self, const tact::ticket& t) {
        has_second = granted++ != 0;
        self.send(t, tact::give_back{});
      },
      [](auto&, const tact::failure&) {},
  });
  engine.send(all, item{1});
  engine.send(all, item{2});
  require_idle(engine);
  CHECK(has_second);
  CHECK(asked < 1'000);
}

namespace {

// An engine that takes nothing from threads outside, because one message waits that fills it.
struct full_engine {
  full_engine() {
    auto o = quiet_options(0);
    o.outside_limit = {.messages = 1};
    engine.emplace(o);
    to = engine->create(tact::behavior<item>{[](auto&, const item&) {}});
  }
  void fill() { engine->send(to, item{1}); }
  std::optional<tact::engine> engine{};
  tact::ref<item> to{};
};

}  // namespace

TEST_CASE("own words: a registry hears of names while the engine's limit for threads is full", "[api][pressure]") {
  full_engine full;
  tact::engine& engine = *full.engine;
  const tact::registry names(engine);
  auto who = engine.create(tact::behavior<item>{[](auto&, const item&) {}}, tact::owned);
  full.fill();
  CHECK(names.add("a", who.ref()));
  require_idle(engine);
  who.reset();
  require_idle(engine);
  CHECK_FALSE(names.find<item>("a"));  // it was watched, so the name is free again
}

TEST_CASE("own words: a supervisor ends while the engine's limit for threads is full", "[api][pressure][law11]") {
  full_engine full;
  tact::engine& engine = *full.engine;
  tact::supervisor all(engine);
  const auto child = all.create(tact::behavior<item>{[](auto&, const item&) {}});
  full.fill();
  all.end();
  require_idle(engine);
  CHECK(engine.try_send(child, item{1}) == tact::send_result::target_ended);
}

}  // namespace own_words_test
