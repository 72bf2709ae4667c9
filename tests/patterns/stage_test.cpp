// tact::stage: each item arrives once or its failure is told once, whatever fails; and no stage takes more than its
// window.
#include "tact/patterns/stage.hpp"

#include <stdexcept>

#include "patterns/customers.hpp"
#include "patterns/trouble.hpp"
#include "tact/future.hpp"

namespace stage_test {

namespace {

using namespace tact::patterns_tests;
using tact::put_item;
using tact::request;

struct page {
  int number = 0;
  tracked instance{};
};
struct bind {
  using reply = page;
  page loose;
};
using pages = tact::inlet<page>;

constexpr std::size_t count = 6;
constexpr int bad = 2;  // the page that fails, where one does

// What became of each page.
struct book {
  std::array<std::atomic<int>, count> arrived{};
  std::array<std::atomic<int>, count> told{};
  std::atomic<int> told_without_context{0};
  std::atomic<int> read{0};
};
using book_of = std::shared_ptr<book>;

tact::ref<page> open_shelf(tact::engine& e, const book_of& b) {
  return e.create(tact::behavior<page>{[b](auto&, const page& p) { ++b->arrived[std::size_t(p.number)]; }});
}
tact::ref<tact::item_failed> open_desk(tact::engine& e, const book_of& b) {
  return e.create(tact::behavior<tact::item_failed>{[b](tact::transaction& tx, const tact::item_failed&) {
    ++(tx.context() ? b->told[tx.context().trace() - 1] : b->told_without_context);
  }});
}
// The last of the line. It ends with the nth page, 0: with none.
tact::behavior<pages> reader(tact::ref<page> shelf, book_of b, int ends_with, int had = 0) {
  return {
      [=](tact::self<pages>& self, const request<put_item<page>>& m) {
        ++b->read;
        self.send(shelf, m.body.item);
        self.reply(m);
        had + 1 == ends_with ? self.stop() : self.become(reader(shelf, b, ends_with, had + 1));
      },
      [](auto& self, const request<tact::end_of_stream>& m) { self.reply(m); },
  };
}
tact::ref<request<bind>> open_bindery(tact::engine& e) {
  return e.create(
      tact::behavior<request<bind>>{[](auto& self, const request<bind>& m) { self.reply(m, m.body.loose); }});
}

struct set_up {
  bool one_fails = false;
  int reader_ends_with = 0;
  bool second_is_ended = false;
  std::size_t window = 2;
  std::size_t parallel = 1;
};

page read_proof(page p, bool fails) {
  if (fails && p.number == bad) throw std::runtime_error("a misprint");
  return p;
}

struct two_stages {
  tact::behavior<tact::stage_protocol<page>> second(tact::engine& e, tact::ref<pages> next, const set_up& s,
                                                    tact::ref<tact::item_failed> desk) const {
    return tact::stage<page, page>(open_bindery(e), next, {s.window, s.parallel, desk});
  }
  tact::behavior<tact::stage_protocol<page>> first(tact::ref<pages> next, const set_up& s,
                                                   tact::ref<tact::item_failed> desk) const {
    const bool fails = s.one_fails;
    return tact::stage<page, page>([fails](page p) { return read_proof(std::move(p), fails); }, next,
                                   {s.window, s.parallel, desk});
  }
};

// Two threads put pages into a line of two stages, without waiting for answers.
template <class Line>
void pages_go_through(tact::simulation& sim, const trouble& t, const set_up& s, const Line& line) {
  auto& engine = sim.engine(quiet_options(3));
  const auto b = std::make_shared<book>();
  const auto desk = open_desk(engine, b);
  const auto all = std::make_shared<customers<tact::done>>(count);
  const bool nothing_fails = t.is_none() && !s.one_fails && s.reader_ends_with == 0 && !s.second_is_ended;
  const auto taken = std::make_shared<std::atomic<int>>(0);
  all->enter(engine, [=, &sim](auto&, std::size_t, tact::done) {
    const int under_way = ++*taken - b->read;
    if (nothing_fails) sim.check(under_way <= int(2 * s.window), "the stages have taken more than their windows");
  });
  const auto last = engine.create(reader(open_shelf(engine, b), b, s.reader_ends_with));
  auto second = std::make_shared<tact::owner<tact::stage_protocol<page>>>(
      engine.create(line.second(engine, last, s, desk), tact::owned));
  const auto first = engine.create(line.first(second->ref(), s, desk));
  const auto ends = std::make_shared<std::array<std::atomic<int>, 2>>();
  engine.monitor(last, engine.create(tact::behavior<tact::ended>{[ends](auto&, const auto&) { ++(*ends)[0]; }}));
  engine.monitor(first, engine.create(tact::behavior<tact::ended>{[ends](auto&, const auto&) { ++(*ends)[1]; }}));
  t.begin();
  for (std::size_t thread = 0; thread < 2; ++thread) {
    sim.start_thread([=, &engine] {
      for (std::size_t n = thread; n < count - 1; n += 2) all->ask(t, engine, first, n, put_item<page>{{int(n)}});
    });
  }
  if (s.second_is_ended) sim.start_thread([second] { second->reset(); });
  sim.run();
  all->ask(t, engine, first, count - 1, put_item<page>{{count - 1}});
  sim.run();
  all->check(sim, t);
  int all_heard = b->told_without_context;
  for (std::size_t n = 0; n < count; ++n) {
    const int heard = b->arrived[n] + b->told[n];
    sim.check(heard <= (*all)[n].answers, "a page arrived twice, or was told, and arrived, or was refused");
    all_heard += heard;
  }
  sim.check(all_heard <= all->answers(), "a page was told twice");
  if (t.is_none() || !s.second_is_ended) sim.check(all_heard == all->answers(), "a page was lost");
  if (t.is_none() && s.one_fails && s.reader_ends_with == 0) sim.check(b->told[bad] == 1, "the failure is not told");
  if (nothing_fails) sim.check(b->read == int(count), "not all have arrived");
  if ((*ends)[0] != 0) sim.check((*ends)[1] == 1, "the first stage lives on behind an end");
  if (t.is_none() && s.second_is_ended) sim.check((*ends)[1] == 1, "the first stage lives on behind another's end");
  sim.end();
}

}  // namespace

TEST_CASE("stage: each item arrives once, or is told once, and no window is exceeded, whatever fails",
          "[law1][law4][law8]") {
  const set_up s = GENERATE(set_up{}, set_up{.window = 1}, set_up{.window = 3, .parallel = 2},
                            set_up{.one_fails = true}, set_up{.one_fails = true, .parallel = 2});
  require_whatever_fails([=](tact::simulation& sim, const trouble& t) { pages_go_through(sim, t, s, two_stages()); },
                         500, 10);
}

TEST_CASE("stage: when the next one ends, all before it end, and what they hold is told once, whatever fails",
          "[law4][law8]") {
  const set_up s = GENERATE(set_up{.reader_ends_with = 1}, set_up{.reader_ends_with = 2, .parallel = 2});
  require_whatever_fails([=](tact::simulation& sim, const trouble& t) { pages_go_through(sim, t, s, two_stages()); },
                         500, 10);
}

TEST_CASE("stage: one that is ended from outside tells what it holds, and the one before it ends, whatever fails",
          "[law4][law8]") {
  const set_up s = GENERATE(set_up{.second_is_ended = true}, set_up{.second_is_ended = true, .parallel = 2});
  require_whatever_fails([=](tact::simulation& sim, const trouble& t) { pages_go_through(sim, t, s, two_stages()); },
                         500, 10);
}

namespace {

// Takes whatever comes.
tact::behavior<tact::stage_protocol<page>> hasty(tact::ref<pages> next) {
  return {
      [next](tact::self<tact::stage_protocol<page>>& self, const request<put_item<page>>& m) {
        self.reply(m);
        self.send(next, request<put_item<page>>{self.ref(), {m.body.item}});
      },
      [](auto&, const auto&) {},
  };
}
struct hasty_line : two_stages {
  tact::behavior<tact::stage_protocol<page>> first(tact::ref<pages> next, const set_up&,
                                                   tact::ref<tact::item_failed>) const {
    return hasty(next);
  }
};

// A stage with a window of 1 that has room again when it hears so; when that run fails it never hears so.
struct hopeful_line : two_stages {
  using self_type = tact::self<tact::stage_protocol<page>>;
  using waiting = std::vector<request<put_item<page>>>;
  static void give(self_type& self, tact::ref<pages> next, const request<put_item<page>>& m) {
    tact::with_context(tact::context().with_trace(std::uint64_t(m.body.item.number) + 1), [&] {
      self.send(m.customer, tact::done{});
      self.send(next, request<put_item<page>>{self.ref(), {m.body.item}});
    });
  }
  static tact::behavior<tact::stage_protocol<page>> with(tact::ref<pages> next, tact::ref<tact::item_failed> desk,
                                                         bool busy, const waiting& door) {
    const auto go_on = [=](self_type& self) {
      if (door.empty()) return self.become(with(next, desk, false, {}));
      give(self, next, door.front());
      self.become(with(next, desk, true, waiting(door.begin() + 1, door.end())));
    };
    return {
        [=](self_type& self, const request<put_item<page>>& m) {
          self.defer(m);
          waiting more = door;
          busy ? more.push_back(m) : give(self, next, m);
          self.become(with(next, desk, true, more));
        },
        [=](self_type& self, const tact::done&) { go_on(self); },
        [=](self_type& self, const tact::failure& f) {
          self.send(desk, tact::item_failed{f});
          go_on(self);
        },
        [](auto&, const auto&) {},
    };
  }
  tact::behavior<tact::stage_protocol<page>> first(tact::ref<pages> next, const set_up&,
                                                   tact::ref<tact::item_failed> desk) const {
    return with(next, desk, false, {});
  }
};

}  // namespace

TEST_CASE("stage: one that takes whatever comes is found", "[law10]") {
  require_found([](tact::simulation& sim, const trouble& t) { pages_go_through(sim, t, {.window = 1}, hasty_line()); });
}

TEST_CASE("stage: one that does not hear of room when a run fails is found", "[law8]") {
  const auto p = [](tact::simulation& sim, const trouble& t) { pages_go_through(sim, t, {}, hopeful_line()); };
  bool has_come = false;
  require_holds(scaled(200), trouble::kind::none, 0, p, has_come);
  require_found_when_it_fails(p);
}

namespace {

// Keeps each item until the test answers it.
struct slow_reader {
  std::vector<request<put_item<page>>> kept{};

  tact::behavior<pages> behavior() {
    return {
        [this](auto& self, const request<put_item<page>>& m) {
          self.defer(m);
          kept.push_back(m);
        },
        [](auto& self, const request<tact::end_of_stream>& m) { self.reply(m); },
    };
  }
  page take(tact::engine& e) {
    const auto first = kept.front();
    kept.erase(kept.begin());
    e.send(first.customer, tact::done{});
    require_idle(e);
    return first.body.item;
  }
};

}  // namespace

TEST_CASE("stage: before one that is stuck each takes its window and no more, keeps the order, and the end comes last",
          "[law4][law5][law10]") {
  const std::size_t parallel = GENERATE(1U, 2U);
  slow_reader slow;
  const nothing_left left;
  tact::engine engine(quiet_options(1));
  const auto last = engine.create(slow.behavior());
  const auto second = engine.create(tact::stage<page, page>(open_bindery(engine), last, {.window = 5}));
  const auto first =
      engine.create(tact::stage<page, page>([](page p) { return p; }, second, {.window = 3, .parallel = parallel}));
  std::atomic<int> taken{0};
  std::atomic<bool> at_end{false};
  const auto source = engine.create(tact::behavior<tact::done>{[&](auto&, tact::done) { ++taken; }});
  const auto closer = engine.create(tact::behavior<tact::done>{[&](auto&, tact::done) { at_end = true; }});
  for (int n = 0; n < 100; ++n) engine.send(first, request<put_item<page>>{source, {{n}}});
  engine.send(first, request<tact::end_of_stream>{closer, {}});
  require_idle(engine);
  CHECK(taken == 3 + 5);
  CHECK(slow.kept.size() == 1);
  int in_order = 0;
  for (int n = 0; n < 100; ++n) {
    CHECK(!at_end);
    REQUIRE(slow.kept.size() == 1);
    in_order += slow.take(engine).number == n ? 1 : 0;
    CHECK(taken == std::min(100, n + 1 + 3 + 5));
  }
  if (parallel == 1) CHECK(in_order == 100);
  CHECK(at_end);
  slow.kept.clear();
}

TEST_CASE("stage: messages between the runs of an item are as few as promised", "[law10]") {
  tact::engine engine(quiet_options(1));
  const auto last = engine.create(tact::last_stage<page>([](const page&) {}));
  const auto first = engine.create(tact::stage<page, page>([](page p) { return p; }, last));
  const auto nobody = engine.create(tact::behavior<tact::done>{[](auto&, tact::done) {}});
  const auto put_one = [&] {
    engine.send(first, request<put_item<page>>{nobody, {{1}}});
    require_idle(engine);
  };
  put_one();  // begins to watch
  const auto before = engine.statistics().messages_sent;
  for (int i = 0; i < 10; ++i) put_one();
  // The put, its answer and the work, twice; and the word that the last work is done.
  CHECK(engine.statistics().messages_sent - before == 10 * 7);
}

TEST_CASE("stage: a service that fails an item is told in its context, and the next item goes through", "[law8]") {
  const nothing_left left;
  tact::engine engine(quiet_options(1));
  const auto b = std::make_shared<book>();
  const tact::ref<request<bind>> torn =
      engine.create(tact::behavior<request<bind>>{[](auto& self, const request<bind>& m) {
        if (m.body.loose.number == bad) throw std::runtime_error("the glue is dry");
        self.reply(m, m.body.loose);
      }});
  const auto last = engine.create(tact::last_stage<page>([b](const page& p) { ++b->arrived[std::size_t(p.number)]; }));
  const auto first = engine.create(tact::stage<page, page>(torn, last, {.window = 1, .failures = open_desk(engine, b)}),
                                   tact::parallel);
  for (int n = 1; n < 4; ++n) {
    tact::with_context(tact::context().with_trace(std::uint64_t(n) + 1),
                       [&] { engine.ask(first, put_item<page>{{n}}); });
  }
  engine.ask(first, tact::end_of_stream{});
  require_idle(engine);
  for (int n = 1; n < 4; ++n) {
    CHECK(b->arrived[std::size_t(n)] == (n == bad ? 0 : 1));
    CHECK(b->told[std::size_t(n)] == (n == bad ? 1 : 0));
  }
}

TEST_CASE("stage: options that make no sense, and a stage before nobody, are refused", "[law10]") {
  const auto f = [](const page&) {};
  CHECK_THROWS_AS(tact::last_stage<page>(f, {.window = 0}), tact::usage_error);
  CHECK_THROWS_AS(tact::last_stage<page>(f, {.parallel = 0}), tact::usage_error);
  const auto same = [](page p) { return p; };
  CHECK_THROWS_WITH((tact::stage<page, page>(same, tact::ref<pages>())), Catch::Contains("last_stage"));
}

TEST_CASE("stage: threads are held back by a slow last stage, and all their items come through", "[law4][law5]") {
  TACT_FOR_EACH_THREAD_COUNT(workers);
  const std::size_t parallel = GENERATE(1U, 3U);
  const nothing_left left;
  tact::engine engine(quiet_options(workers));
  std::array<std::atomic<int>, 4> last_of{};
  std::atomic<int> arrived{0};
  std::atomic<int> taken{0};
  std::atomic<int> most{0};
  std::atomic<int> out_of_order{0};
  const auto slow = engine.create(tact::last_stage<page>(
      [&](const page& p) {
        for (std::atomic<int> work{0}; work < 500;) ++work;
        if (last_of[std::size_t(p.number % 4)].exchange(p.number) > p.number) ++out_of_order;
        ++arrived;
      },
      {.window = 4}));
  const auto first =
      engine.create(tact::stage<page, page>([](page p) { return p; }, slow, {.window = 4, .parallel = parallel}));
  const int each = scaled(300);
  on_threads(4, [&](unsigned thread) {
    for (int i = 0; i < each; ++i) {
      engine.ask(first, put_item<page>{{i * 4 + int(thread)}});
      const int under_way = ++taken - arrived;
      for (int seen = most; seen < under_way && !most.compare_exchange_weak(seen, under_way);) {
      }
    }
  });
  engine.ask(first, tact::end_of_stream{});
  CHECK(arrived == 4 * each);
  CHECK(most <= 4 + 4);
  if (parallel == 1) CHECK(out_of_order == 0);
  require_idle(engine);
}

}  // namespace stage_test
