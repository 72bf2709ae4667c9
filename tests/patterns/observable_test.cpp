// tact::observable: who subscribes hears the value and each change in order, and an end is no burden, whatever fails.
#include "tact/patterns/observable.hpp"
#include "patterns/trouble.hpp"

namespace observable_test {

namespace {

using namespace tact::patterns_tests;
using tact::failure;
using tact::request;

using level = tact::ref<tact::observable_protocol<int>>;
using heard = std::vector<int>;

// A subscriber that notes what it hears, and ends when it hears `last`.
tact::behavior<int> gauge(std::shared_ptr<heard> all, int last = -1) {
  return {[all, last](tact::self<int>& self, int v) {
    all->push_back(v);
    if (v == last) self.stop();
  }};
}

// One thread subscribes a gauge, another one counts up, each number twice.
template <class Make>
void hears_changes(tact::simulation& sim, const trouble& t, const Make& make) {
  constexpr int last = 3;
  auto& engine = sim.engine(quiet_options(3));
  const level o = engine.create(make(0));
  const auto all = std::make_shared<heard>();
  const auto g = engine.create(gauge(all));
  t.begin();
  sim.start_thread([&engine, o, g, t] { t.tries([&] { engine.send(o, tact::subscribe_observable<int>{g}); }); });
  sim.start_thread([&engine, o, t] {
    for (int v = 1; v <= last; ++v) {
      for (int twice = 0; twice < 2; ++twice) t.tries([&] { engine.send(o, tact::set_value<int>{v}); });
    }
  });
  sim.run();
  for (std::size_t i = 1; i < all->size(); ++i) sim.check((*all)[i - 1] < (*all)[i], "twice, or out of order");
  if (t.is_none()) {
    sim.check(!all->empty() && all->back() == last, "the last change was not told");
    sim.check(all->back() - all->front() + 1 == static_cast<int>(all->size()), "a change was not told");
  }
  sim.end();
}

// A subscriber ends while the value changes; afterwards no change is sent to it any more.
template <class Make>
void subscriber_ends(tact::simulation& sim, const trouble& t, const Make& make) {
  auto& engine = sim.engine(quiet_options(3));
  const level o = engine.create(make(0));
  const auto all = std::make_shared<heard>();
  const auto g = engine.create(gauge(all, 1));
  const auto stays = engine.create(gauge(std::make_shared<heard>()));
  engine.send(o, tact::subscribe_observable<int>{g});
  engine.send(o, tact::subscribe_observable<int>{stays});
  sim.run();
  t.begin();
  sim.start_thread([&engine, o, t] {
    for (int v = 1; v <= 2; ++v) t.tries([&] { engine.send(o, tact::set_value<int>{v}); });
  });
  sim.run();
  const auto lost = engine.statistics().dead_letters;
  for (int v = 3; v <= 4; ++v) t.tries([&] { engine.send(o, tact::set_value<int>{v}); });
  sim.run();
  const bool has_ended = std::count(all->begin(), all->end(), 1) != 0;
  if (has_ended && all->back() == 1) sim.check(engine.statistics().dead_letters <= lost, "told after its end");
  sim.end();
}

// Two threads count by compare_and_set.
void threads_compare_and_set(tact::simulation& sim, const trouble& t, bool parallel) {
  auto& engine = sim.engine(quiet_options(3));
  const level o = parallel ? engine.create(tact::observable(0), tact::parallel) : engine.create(tact::observable(0));
  const auto done = std::make_shared<std::atomic<int>>(0);
  t.begin();
  const auto add = [&engine, o, done] {
    for (int seen = 0;;) {
      try {
        const auto c = engine.ask(o, tact::compare_and_set<int>{seen, seen + 1});
        if (c.was_set) return void(++*done);
        seen = c.value;
      } catch (const tact::ask_error&) {
        return;
      } catch (const std::bad_alloc&) {
        return;
      }
    }
  };
  for (int thread = 0; thread < 2; ++thread) {
    sim.start_thread([add] {
      for (int i = 0; i < 2; ++i) add();
    });
  }
  sim.run();
  add();
  add();
  sim.check(*done >= (t.is_none() ? 6 : 5), "an ask failed, and none should");
  const auto read = [&] {
    try {
      return engine.ask(o, tact::value_of<int>{});
    } catch (const std::exception&) {
      return engine.ask(o, tact::value_of<int>{});
    }
  };
  const int value = read();
  sim.check(value == *done || (!t.is_none() && value == *done + 1), "a compare_and_set was lost");
  sim.end();
}

// As the observable, but tells a change whenever the value is set.
struct noisy : tact::detail::observed_value<int> {
  using base = tact::detail::observed_value<int>;
  using base::operator();
  void operator()(self_type& self, const tact::subscribe_observable<int>& m) const {
    base::operator()(self, m);
    self.become(noisy{{value, all.with(next_number, m.who, {}), next_number + 1}});
  }
  void operator()(self_type& self, const tact::set_value<int>& m) const {
    set(self, m.value);
    self.become(noisy{{tact::detail::keep(m.value), all, next_number}});
  }
};

// As the observable, but does not hear that a run of its own has failed.
struct deaf : tact::detail::observed_value<int> {
  using base = tact::detail::observed_value<int>;
  using base::operator();
  void operator()(self_type& self, const tact::subscribe_observable<int>& m) const {
    base::operator()(self, m);
    self.become(deaf{{value, all.with(next_number, m.who, {}), next_number + 1}});
  }
  void operator()(self_type& self, const tact::set_value<int>& m) const {
    base::operator()(self, m);
    self.become(deaf{{tact::detail::keep(m.value), all, next_number}});
  }
  void operator()(self_type& self, const tact::ended& m) const {
    self.become(deaf{{value, all.erase(all.number_of_actor(m.address)), next_number}});
  }
};

}  // namespace

TEST_CASE("observable: who subscribes hears the value and then each change once in order, whatever fails",
          "[law1][law5]") {
  require_whatever_fails([](tact::simulation& sim, const trouble& t) {
    hears_changes(sim, t, [](int v) { return tact::observable(v); });
  });
}

TEST_CASE("observable: a subscriber that ends leaves by itself, whatever fails", "[law1][law8]") {
  require_whatever_fails([](tact::simulation& sim, const trouble& t) {
    subscriber_ends(sim, t, [](int v) { return tact::observable(v); });
  });
}

TEST_CASE("observable: compare_and_set loses nothing in any order, whatever fails", "[law1][law3][law8]") {
  const bool parallel = GENERATE(false, true);
  require_whatever_fails([=](tact::simulation& sim, const trouble& t) { threads_compare_and_set(sim, t, parallel); });
}

TEST_CASE("observable: one that tells equal values, or is deaf for its own failure, is found", "[law5][law8]") {
  require_found([](tact::simulation& sim, const trouble& t) {
    hears_changes(sim, t,
                  [](int v) { return tact::behavior<tact::observable_protocol<int>>(noisy{{tact::detail::keep(v)}}); });
  });
  require_found_when_it_fails([](tact::simulation& sim, const trouble& t) {
    subscriber_ends(
        sim, t, [](int v) { return tact::behavior<tact::observable_protocol<int>>(deaf{{tact::detail::keep(v)}}); });
  });
}

TEST_CASE("observable: each of many subscribers hears all changes in order, those who leave none of them",
          "[law5][law13]") {
  TACT_FOR_EACH_THREAD_COUNT(workers);
  constexpr int changes = 200;
  tact::engine engine(quiet_options(workers));
  const auto o = engine.create(tact::observable(0));
  std::vector<std::shared_ptr<heard>> all;
  std::vector<tact::ref<int>> gauges;
  for (int i = 0; i < 8; ++i) {
    all.push_back(std::make_shared<heard>());
    gauges.push_back(engine.create(gauge(all.back(), i == 7 ? changes / 2 : -1)));
    engine.send(o, tact::subscribe_observable<int>{gauges.back()});
  }
  engine.send(o, tact::unsubscribe_observable<int>{gauges[0]});
  engine.send(o, tact::subscribe_observable<int>{gauges[1]});
  for (int v = 1; v <= changes; ++v) engine.send(o, tact::set_value<int>{v});
  require_idle(engine);
  CHECK(*all[0] == heard{0});
  CHECK(all[1]->size() == changes + 2);
  for (int i = 2; i < 7; ++i) {
    INFO("i=" << i);
    CHECK(all[static_cast<std::size_t>(i)]->size() == changes + 1);
    CHECK(std::is_sorted(all[static_cast<std::size_t>(i)]->begin(), all[static_cast<std::size_t>(i)]->end()));
  }
  CHECK(all[7]->size() == changes / 2 + 1);
}

TEST_CASE("observable: changed says of which one, and is preferred; who comes back is watched once more", "[law8]") {
  struct dial : tact::protocol<int, tact::value_changed<int>> {};
  tact::engine engine(quiet_options(2));
  const auto a = engine.create(tact::observable(1));
  const auto b = engine.create(tact::observable(2));
  std::array<int, 2> last{};  // only the dial writes
  const auto d = engine.create(tact::behavior<dial>{
      [](auto&, int) { throw std::runtime_error("the plain value"); },
      [&](auto& self, const tact::value_changed<int>& m) {
        last[m.of == a ? 0 : 1] = m.value;
        if (m.value == 9) self.stop();
      },
  });
  for (int i = 0; i < 3; ++i) {
    engine.send(a, tact::subscribe_observable<int>{d});
    engine.send(a, tact::unsubscribe_observable<int>{d});
  }
  engine.send(a, tact::subscribe_observable<int>{d});
  engine.send(b, tact::subscribe_observable<int>{d});
  engine.send(a, tact::set_value<int>{3});
  engine.send(b, tact::set_value<int>{4});
  require_idle(engine);
  CHECK(last == std::array<int, 2>{3, 4});
  CHECK(engine.statistics().failures == 0);
  CHECK_FALSE(engine.ask(a, tact::compare_and_set<int>{1, 5}).was_set);
  const auto c = engine.ask(a, tact::compare_and_set<int>{3, 5});
  CHECK(c.was_set);
  CHECK(c.value == 5);
  require_idle(engine);
  const auto sent = engine.statistics().messages_sent;
  engine.send(a, tact::set_value<int>{9});
  require_idle(engine);
  CHECK(engine.statistics().messages_sent - sent == 4);  // this one, the change, and the end, to a and to b
}

TEST_CASE("observable: a value that cannot be copied for a subscriber is not set", "[law1]") {
  struct fragile {
    explicit fragile(int n, int c) : number(n), copies_left(c) {}
    fragile(fragile&&) noexcept = default;
    fragile(const fragile& other) : number(other.number), copies_left(other.copies_left - 1) {
      if (copies_left < 0) throw std::runtime_error("no more copies");
    }
    bool operator==(const fragile& other) const { return number == other.number; }
    int number;
    int copies_left;
  };
  tact::engine engine(quiet_options(1));
  const auto o = engine.create(tact::observable(fragile(0, 100)));
  int came = 0;
  const auto g = engine.create(tact::behavior<fragile>{[&came](auto&, const fragile&) { ++came; }});
  engine.send(o, tact::subscribe_observable<fragile>{g});
  engine.send(o, tact::set_value<fragile>{fragile(1, 0)});
  CHECK(engine.ask(o, tact::value_of<fragile>{}).number == 0);
  engine.send(o, tact::set_value<fragile>{fragile(2, 10)});
  CHECK(engine.ask(o, tact::value_of<fragile>{}).number == 2);
  require_idle(engine);
  CHECK(came == 2);
}

}  // namespace observable_test
