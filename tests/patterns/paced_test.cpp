// tact::paced: a slow reader has no more before it than it takes, hears what it missed, and is never forgotten.
#include "tact/patterns/paced.hpp"
#include "patterns/trouble.hpp"
#include "tact/patterns/topic.hpp"

namespace paced_test {

namespace {

using namespace tact::patterns_tests;

struct note {
  int number = 0;
  tracked instance{};
};
struct reader : tact::protocol<tact::paced_reader<note>> {};
using item = tact::request<tact::paced_message<note>>;

struct heard {
  std::atomic<int> last{0};
  std::atomic<int> news{0};
  std::atomic<std::uint64_t> missed{0};
  std::atomic<bool> in_order{true};
};

tact::behavior<reader> reads(const std::shared_ptr<heard>& h) {
  return {
      [h](tact::self<reader>& self, const item& m) {
        h->in_order = h->in_order && h->last < m.body.message.number;
        h->last = m.body.message.number;
        ++h->news;
        self.reply(m);
      },
      [h](auto&, const tact::missed_messages<note>& m) { h->missed += m.count; },
  };
}

template <class Make>
void a_thread_sends(tact::simulation& sim, const trouble& t, const Make& make) {
  auto& engine = sim.engine(quiet_options(2));
  const auto h = std::make_shared<heard>();
  const auto relay = engine.create(make(tact::ref<tact::paced_reader<note>>(engine.create(reads(h)))));
  t.begin();
  sim.start_thread([&engine, relay, t] {
    for (int i = 1; i <= 4; ++i) t.tries([&] { engine.send(relay, note{i}); });
  });
  sim.run();
  const auto all = static_cast<std::uint64_t>(h->news) + h->missed;
  sim.check(h->in_order, "the news came out of order");
  sim.check(all <= 4, "more was told than was sent");
  sim.check(all == 4 || !t.is_none(), "something was neither handed on nor told as missed");
  if (t.has_come() || t.is_none()) {
    const int before = h->news;
    engine.send(relay, note{5});
    sim.run();
    sim.check(h->news == before + 1, "the reader is taken for busy, and is not");
  }
  sim.end();
}

// Takes a failure for the end of the reader.
tact::behavior<tact::paced_protocol<note>> forgetful(tact::ref<tact::paced_reader<note>> to, bool busy = false) {
  using self_type = tact::self<tact::paced_protocol<note>>;
  return {
      [=](self_type& self, const note& m) {
        if (busy) return;
        self.send(to, item{self.ref(), {m}});
        self.become(forgetful(to, true));
      },
      [=](self_type& self, const tact::done&) { self.become(forgetful(to, false)); },
      [](auto&, const auto&) {},
  };
}

}  // namespace

TEST_CASE("paced: what is sent is handed on in order or told as missed, and no failure stops it", "[law5][law8]") {
  require_whatever_fails([](tact::simulation& sim, const trouble& t) {
    a_thread_sends(sim, t, [](auto to) { return tact::paced<note>(to, 1); });
  });
}

TEST_CASE("paced: one that drops and does not tell is found", "[law8]") {
  require_found(
      [](tact::simulation& sim, const trouble& t) { a_thread_sends(sim, t, [](auto to) { return forgetful(to); }); });
}

TEST_CASE("paced: one that waits for ever after a failure is found", "[law8]") {
  require_found_when_it_fails(
      [](tact::simulation& sim, const trouble& t) { a_thread_sends(sim, t, [](auto to) { return forgetful(to); }); });
}

TEST_CASE("paced: a reader has no more before it than its limit, and hears what it missed when it takes the next",
          "[law5][law10]") {
  const nothing_left left;
  tact::engine engine(quiet_options(1));
  std::vector<tact::ref<tact::done>> waiting;
  std::uint64_t missed = 0;
  const auto slow = engine.create(tact::behavior<reader>{
      [&](tact::self<reader>& self, const item& m) {
        self.defer(m);
        waiting.push_back(m.customer);
      },
      [&](auto&, const tact::missed_messages<note>& m) { missed += m.count; },
  });
  const auto relay = engine.create(tact::paced<note>(slow, 3));
  for (int i = 1; i <= 10; ++i) engine.send(relay, note{i});
  require_idle(engine);
  CHECK(waiting.size() == 3);
  CHECK(missed == 0);
  engine.send(waiting[0], tact::done{});
  require_idle(engine);
  CHECK(missed == 7);
  for (int i = 11; i <= 12; ++i) engine.send(relay, note{i});
  require_idle(engine);
  CHECK(waiting.size() == 4);
  CHECK_THROWS_AS(tact::paced<note>(slow, 0), tact::usage_error);
}

TEST_CASE("paced: whatever fails it ends with its reader, at the latest with the next news", "[law8]") {
  require_whatever_fails([](tact::simulation& sim, const trouble& t) {
    auto& engine = sim.engine(quiet_options(2));
    const auto short_lived = engine.create(tact::behavior<reader>{
        [](tact::self<reader>& self, const item& m) {
          self.reply(m);
          self.stop();
        },
        [](auto&, const auto&) {},
    });
    const auto relay = engine.create(tact::paced<note>(short_lived, 1));
    const auto ends = std::make_shared<std::atomic<int>>(0);
    engine.monitor(relay, engine.create(tact::behavior<tact::ended>{[ends](auto&, const auto&) { ++*ends; }}));
    t.begin();
    t.tries([&] { engine.send(relay, note{1}); });
    sim.run();
    for (int i = 2; i <= 4 && (t.has_come() || t.is_none()); ++i) {
      engine.send(relay, note{i});
      sim.run();
    }
    sim.check(*ends == 1 || !(t.has_come() || t.is_none()), "the relay is still there");
    sim.end();
  });
}

TEST_CASE("paced: it ends with its reader, and leaves its topic", "[law13]") {
  TACT_FOR_EACH_THREAD_COUNT(workers);
  const nothing_left left;
  tact::engine engine(quiet_options(workers));
  const auto topic = engine.create(tact::topic<note>());
  const auto short_lived = engine.create(tact::behavior<reader>{
      [](tact::self<reader>& self, const item& m) {
        self.reply(m);
        self.stop();
      },
      [](auto&, const auto&) {},
  });
  const auto relay = engine.create(tact::paced<note>(short_lived, 1));
  std::atomic<bool> ended{false};
  engine.monitor(relay, engine.create(tact::behavior<tact::ended>{[&](auto&, const auto&) { ended = true; }}));
  engine.ask(topic, tact::subscribe_topic<note>{relay});
  engine.send(topic, note{1});
  require_idle(engine);
  CHECK(ended);
  const auto dead = engine.statistics().dead_letters;
  engine.send(topic, note{2});
  require_idle(engine);
  CHECK(engine.statistics().dead_letters == dead);
}

}  // namespace paced_test
