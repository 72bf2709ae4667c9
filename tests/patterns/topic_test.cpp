// tact::topic: each subscriber hears each publisher in order, and all or none of them hear a message, whatever fails.
#include "tact/patterns/topic.hpp"
#include "patterns/trouble.hpp"

namespace topic_test {

namespace {

using namespace tact::patterns_tests;

struct note {
  int publisher = 0;
  int number = 0;
  tracked instance{};
};

// What one subscriber has heard: the last number of each publisher, and how many in all.
struct heard {
  explicit heard(int publishers) : last(static_cast<std::size_t>(publishers)) {}
  void add(const note& m) {
    std::atomic<int>& before = last[static_cast<std::size_t>(m.publisher)];
    in_order = in_order && before < m.number;
    before = m.number;
    ++count;
  }
  std::vector<std::atomic<int>> last;
  std::atomic<bool> in_order{true};
  std::atomic<int> count{0};
};

// Subscribes to it; with `ends` it ends with the first note.
tact::behavior<note> listener(const std::shared_ptr<heard>& h, bool ends) {
  return {[h, ends](tact::self<note>& self, const note& m) {
    // A run that throws counts as well: whatever a topic sends arrives once.
    h->add(m);
    if (ends) self.stop();
  }};
}

template <class Make>
void two_threads_publish(tact::simulation& sim, const trouble& t, const Make& make) {
  auto& engine = sim.engine(quiet_options(3));
  const auto topic = engine.create(make());
  std::vector<std::shared_ptr<heard>> subscribers;
  for (int i = 0; i < 3; ++i) {
    subscribers.push_back(std::make_shared<heard>(3));
    engine.ask(topic, tact::subscribe_topic<note>{engine.create(listener(subscribers.back(), i == 2))});
  }
  t.begin();
  for (int thread = 0; thread < 2; ++thread) {
    sim.start_thread([&engine, topic, t, thread] {
      for (int i = 1; i <= 3; ++i) t.tries([&] { engine.send(topic, note{thread, i}); });
    });
  }
  sim.run();
  const auto dead = engine.statistics().dead_letters;
  t.tries([&] { engine.send(topic, note{2, 1}); });
  sim.run();
  sim.check(subscribers[0]->count == subscribers[1]->count, "one has heard what another has not");
  sim.check(subscribers[0]->count == 7 || !t.is_none(), "a note is lost");
  sim.check(subscribers[0]->in_order && subscribers[1]->in_order, "a publisher is heard out of order");
  sim.check(engine.statistics().dead_letters == dead, "a subscriber that has ended is still one");
  sim.end();
}

// Does not make good for a run that fails when it is told of an end.
struct deaf_topic {
  using self_type = tact::self<tact::topic_protocol<note>>;
  void operator()(self_type& self, const note& m) const {
    members.for_each([&](tact::ref<note> r) { self.send(r, m); });
  }
  void operator()(self_type& self, const tact::request<tact::subscribe_topic<note>>& m) const {
    self.become(deaf_topic{with_watched(members, self, next, m.body.who), next + 1});
    self.reply(m);
  }
  void operator()(self_type&, const tact::request<tact::unsubscribe_topic<note>>&) const {}
  void operator()(self_type& self, const tact::detail::member_ended& m) const {
    self.become(deaf_topic{members.erase(m.number), next});
  }
  void operator()(self_type&, const tact::failure&) const {}

  tact::detail::member_list<tact::ref<note>> members{};
  std::uint64_t next = 1;
};

// Sends to one subscriber in each run.
tact::behavior<tact::topic_protocol<note>> topic_in_turns(std::vector<tact::ref<note>> to) {
  using self_type = tact::self<tact::topic_protocol<note>>;
  return {
      [to](self_type& self, const note& m) {
        for (const auto r : to) self.on_commit([r, m](tact::transaction& tx) { tx.send(r, m); });
      },
      [to](self_type& self, const tact::request<tact::subscribe_topic<note>>& m) {
        auto more = to;
        more.push_back(m.body.who);
        self.become(topic_in_turns(more));
        self.reply(m);
      },
      [](auto&, const auto&) {},
  };
}

}  // namespace

TEST_CASE("topic: all who have subscribed hear a note or none does, in order, and who ends leaves, whatever fails",
          "[law1][law5][law8]") {
  require_whatever_fails(
      [](tact::simulation& sim, const trouble& t) { two_threads_publish(sim, t, [] { return tact::topic<note>(); }); });
}

TEST_CASE("topic: one that does not hear of an end when its run fails is found", "[law8]") {
  require_found_when_it_fails([](tact::simulation& sim, const trouble& t) {
    two_threads_publish(sim, t, [] { return tact::behavior<tact::topic_protocol<note>>(deaf_topic{}); });
  });
}

TEST_CASE("topic: one that sends in several runs is found", "[law1][law5]") {
  require_found(
      [](tact::simulation& sim, const trouble& t) { two_threads_publish(sim, t, [] { return topic_in_turns({}); }); });
}

TEST_CASE("topic: who has unsubscribed hears nothing more, and one that subscribes twice hears it once", "[law3]") {
  const nothing_left left;
  tact::engine engine(quiet_options(1));
  const auto once = std::make_shared<heard>(1);
  const auto twice = std::make_shared<heard>(1);
  const auto a = engine.create(listener(once, false));
  const auto b = engine.create(listener(twice, false));
  const auto topic = engine.create(tact::topic<note>());
  for (const auto who : {a, b, b}) engine.ask(topic, tact::subscribe_topic<note>{who});
  engine.send(topic, note{0, 1});
  require_idle(engine);
  CHECK(once->count == 1);
  CHECK(twice->count == 1);
  for (const auto who : {a, b, a}) engine.ask(topic, tact::unsubscribe_topic<note>{who});
  engine.send(topic, note{0, 2});
  require_idle(engine);
  CHECK(once->count == 1);
  CHECK(twice->count == 1);
  CHECK_THROWS_AS(engine.ask(topic, tact::subscribe_topic<note>{}), tact::ask_error);
}

TEST_CASE("topic: who comes and goes is watched while it is there, and leaves no trace when it has ended", "[law10]") {
  const nothing_left left;
  tact::engine engine(quiet_options(1));
  const auto h = std::make_shared<heard>(1);
  const auto topic = engine.create(tact::topic<note>());
  const auto guest = engine.create(listener(h, true));
  engine.ask(topic, tact::subscribe_topic<note>{guest});
  require_idle(engine);
  const auto before = engine.statistics().messages_sent;
  for (int i = 0; i < 10; ++i) {
    engine.ask(topic, tact::unsubscribe_topic<note>{guest});
    engine.ask(topic, tact::subscribe_topic<note>{guest});
  }
  require_idle(engine);
  CHECK(engine.statistics().messages_sent - before == 10 * 6);  // requests, answers, an order to watch, one to forget
  engine.send(topic, note{0, 1});
  require_idle(engine);
  CHECK(h->count == 1);
  const auto dead = engine.statistics().dead_letters;
  engine.send(topic, note{0, 2});
  require_idle(engine);
  CHECK(engine.statistics().dead_letters == dead);
}

TEST_CASE("topic: of many publishers each subscriber hears each in order, while others come and end",
          "[law4][law5][law13]") {
  TACT_FOR_EACH_THREAD_COUNT(workers);
  const nothing_left left;
  tact::engine engine(quiet_options(workers));
  const auto topic = engine.create(tact::topic<note>());
  const auto heard_all = std::make_shared<heard>(5);
  engine.ask(topic, tact::subscribe_topic<note>{engine.create(listener(heard_all, false))});
  const int notes = scaled(1'000);
  on_threads(4, [&](unsigned thread) {
    for (int i = 1; i <= notes; ++i) {
      if (i % 16 == 0) {
        const auto guest = std::make_shared<heard>(5);
        engine.ask(topic, tact::subscribe_topic<note>{engine.create(listener(guest, true))});
      }
      engine.send(topic, note{static_cast<int>(thread), i});
    }
  });
  require_idle(engine);
  CHECK(heard_all->in_order);
  CHECK(heard_all->count == 4 * notes);
  engine.send(topic, note{4, 1});  // the last guests end with this one
  require_idle(engine);
  const auto dead = engine.statistics().dead_letters;
  engine.send(topic, note{4, 2});
  require_idle(engine);
  CHECK(engine.statistics().dead_letters == dead);
}

}  // namespace topic_test
