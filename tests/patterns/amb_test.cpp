// Choices with backtracking: each solution is given once, depth first, whatever fails.
#include "tact/patterns/amb.hpp"

#include <set>

#include "patterns/trouble.hpp"

namespace amb_test {

namespace {

using namespace tact::patterns_tests;
using tact::failure;
using tact::request;

using next_number = tact::next_solution<int>;
using numbers = tact::ref<request<next_number>>;

// All solutions that one who asks is given.
template <class T, class P>
std::vector<T> all_of(tact::engine& engine, tact::ref<P> source) {
  std::vector<T> all;
  while (auto s = engine.ask(source, tact::next_solution<T>{})) all.push_back(*s);
  return all;
}

// What two threads that ask were given.
struct given {
  std::vector<int> all;
  int failed = 0;
  int ended = 0;

  void ask_for_all(tact::engine& engine, numbers source) {
    for (int unlucky = 0; unlucky < 5;) {
      try {
        const auto s = engine.ask(source, next_number{});
        if (!s) return;
        all.push_back(*s);
      } catch (const tact::ask_error&) {
        ++failed;
        ++unlucky;
      } catch (const std::bad_alloc&) {
        ++failed;
        ++unlucky;
      }
    }
  }
  void ask_on_thread(tact::engine& engine, numbers source) {
    ask_for_all(engine, source);
    ++ended;
  }
};

// `lost`: how many solutions one failure may cost; `failing`: how many asks fail of themselves.
template <class Make>
void threads_ask_for_all(tact::simulation& sim, const trouble& t, const std::vector<int>& expected, std::size_t lost,
                         const Make& make, int failing = 0) {
  auto& engine = sim.engine(quiet_options(3));
  const numbers source = make(engine);
  const auto g = std::make_shared<given>();
  t.begin();
  for (int thread = 0; thread < 2; ++thread) {
    sim.start_thread([&engine, source, g] { g->ask_on_thread(engine, source); });
  }
  sim.run();
  sim.check(g->ended == 2, "one who asked waits");
  g->ask_for_all(engine, source);
  const std::set<int> once(g->all.begin(), g->all.end());
  sim.check(once.size() == g->all.size(), "a solution was given twice");
  sim.check(std::includes(expected.begin(), expected.end(), once.begin(), once.end()), "no solution");
  sim.check(once.size() >= expected.size() - (t.is_none() ? 0 : lost), "a solution was not given");
  sim.check(g->failed <= failing + (t.is_none() ? 0 : 1), "one run failed, and more than one ask");
  sim.end();
}

std::vector<int> twice_and_more(int n) {
  if (n == 2) return {};
  return {10 * n, 10 * n + 1};
}
numbers expanded(tact::engine& engine, bool parallel) {
  const auto first = engine.create(tact::choices_between(1, 3), tact::parallel);
  return parallel ? engine.create(tact::choices_for_each(first, twice_and_more), tact::parallel)
                  : engine.create(tact::choices_for_each(first, twice_and_more));
}

void ends_while_asked(tact::simulation& sim, const trouble& t) {
  auto& engine = sim.engine(quiet_options(3));
  const auto silent = engine.create(
      tact::behavior<request<next_number>>{[](auto& self, const request<next_number>& m) { self.defer(m); }});
  auto source = engine.create(tact::choices_for_each(silent, twice_and_more), tact::owned);
  const auto g = std::make_shared<given>();
  t.begin();
  for (int thread = 0; thread < 2; ++thread) {
    sim.start_thread([&engine, whom = numbers(source.ref()), g] { g->ask_on_thread(engine, whom); });
  }
  sim.run();
  source.reset();
  sim.run();
  sim.check(g->ended == 2 && g->failed == 10, "one who asked waits");
  sim.end();
}

// Two threads ask one that ends when a run of it fails.
void fails_and_ends(tact::simulation& sim, const trouble& t) {
  auto& engine = sim.engine(quiet_options(3));
  const auto first = engine.create(tact::choices_between(1, 3));
  const numbers source =
      engine.create(tact::choices_for_each(first, twice_and_more), tact::failure_rule(tact::failure_policy::end));
  const auto g = std::make_shared<given>();
  t.begin();
  for (int thread = 0; thread < 2; ++thread) {
    sim.start_thread([&engine, source, g] { g->ask_on_thread(engine, source); });
  }
  sim.run();
  sim.check(g->ended == 2, "one who asked waits");
  const std::set<int> once(g->all.begin(), g->all.end());
  sim.check(once.size() == g->all.size(), "a solution was given twice");
  sim.check(once.size() == 4 || g->failed != 0, "a solution was not given");
  sim.end();
}

// Takes the next number beside its behaviour.
tact::behavior<request<next_number>> choices_aside() {
  const auto n = std::make_shared<std::atomic<int>>(0);
  return {[n](auto& self, const request<next_number>& m) {
    const int mine = ++*n;
    self.reply(m, mine <= 3 ? std::optional<int>(mine) : std::nullopt);
  }};
}

// An and_then that does not hear of a failure.
struct deaf : tact::detail::branching<int, int, std::vector<int> (*)(int)> {
  using base = tact::detail::branching<int, int, std::vector<int> (*)(int)>;
  void operator()(self_type& self, const request<next_number>& m) const {
    if (has_alternative()) return base::operator()(self, m), self.become(deaf{{by, left, at + 1}});
    if (waiting.empty()) by->ask(by, self, self.ref());
    self.become(deaf{{by, {}, 0, waiting.with(self, m, "and_then")}});
  }
  void operator()(self_type& self, const request<tact::detail::expanded<int>>& m) const { base::operator()(self, m); }
  void operator()(self_type&, const failure&) const {}
  bool has_alternative() const { return left && at != left->value.size(); }
};

struct floors {
  int baker = 0, cooper = 0, fletcher = 0, miller = 0, smith = 0;
  friend bool operator==(const floors&, const floors&) = default;
};
// One more of them moves into a floor where nobody lives yet.
template <int floors::*Who, int floors::*... Others>
std::vector<floors> move_in(const floors& f) {
  std::vector<floors> all;
  for (int floor = 1; floor <= 5; ++floor) {
    if (((f.*Others == floor) || ...)) continue;
    all.push_back(f);
    all.back().*Who = floor;
  }
  return all;
}

}  // namespace

TEST_CASE("amb: choices are given once each, by one who hands them out in any order, whatever fails", "[law1][law3]") {
  const bool parallel = GENERATE(false, true);
  require_whatever_fails([=](tact::simulation& sim, const trouble& t) {
    threads_ask_for_all(sim, t, {1, 2, 3}, 1, [=](tact::engine& engine) -> numbers {
      return parallel ? engine.create(tact::choices(std::vector{1, 2, 3}), tact::parallel)
                      : engine.create(tact::choices(std::vector{1, 2, 3}));
    });
  });
}

TEST_CASE("amb: and_then gives the alternatives of each solution once, whatever fails", "[law1][law3][law8]") {
  const bool parallel = GENERATE(false, true);
  require_whatever_fails(
      [=](tact::simulation& sim, const trouble& t) {
        threads_ask_for_all(sim, t, {10, 11, 30, 31}, 2,
                            [=](tact::engine& engine) { return expanded(engine, parallel); });
      },
      500, 10);
}

TEST_CASE("amb: the search goes on behind a solution for which a function throws, whatever fails", "[law1][law8]") {
  const bool is_source = GENERATE(false, true);
  require_whatever_fails(
      [=](tact::simulation& sim, const trouble& t) {
        const auto throws_at_2 = [](int n) {
          if (n == 2) throw std::runtime_error("two");
          return std::vector{10 * n};
        };
        const auto make = [=](tact::engine& engine) -> numbers {
          const auto some =
              engine.create(tact::choices_for_each(engine.create(tact::choices_between(1, 3)), throws_at_2));
          if (!is_source) return some;
          const auto same = engine.create(tact::choices_for_each(some, [](int n) { return std::vector{n}; }));
          return engine.create(tact::such_that(same, [](int) { return true; }));
        };
        threads_ask_for_all(sim, t, {10, 30}, 1, make, 1);
      },
      300, 10);
}

TEST_CASE("amb: such_that gives what holds, once, whatever fails", "[law1][law8]") {
  require_whatever_fails(
      [](tact::simulation& sim, const trouble& t) {
        threads_ask_for_all(sim, t, {3, 6}, 1, [](tact::engine& engine) -> numbers {
          return engine.create(
              tact::such_that(engine.create(tact::choices_between(1, 7)), [](int n) { return n % 3 == 0; }));
        });
      },
      500, 10);
}

TEST_CASE("amb: when an and_then ends those who wait in it are told, whatever fails", "[law8]") {
  require_whatever_fails(ends_while_asked);
}

TEST_CASE("amb: when its failure ends an and_then, those who wait in it are told", "[law8]") {
  require_whatever_fails(fails_and_ends, 200);
}

TEST_CASE("amb: one that counts beside its behaviour, or does not hear of a failure, is found", "[law1][law8]") {
  require_found_when_it_fails([](tact::simulation& sim, const trouble& t) {
    threads_ask_for_all(sim, t, {1, 2, 3}, 0, [](tact::engine& engine) { return engine.create(choices_aside()); });
  });
  require_found_when_it_fails([](tact::simulation& sim, const trouble& t) {
    threads_ask_for_all(sim, t, {10, 11, 30, 31}, 2, [](tact::engine& engine) -> numbers {
      const auto first = engine.create(tact::choices_between(1, 3));
      using by = tact::detail::expansion<int, int, std::vector<int> (*)(int)>;
      return engine.create(tact::behavior<tact::choices_for_each_protocol<int>>(
          deaf{{tact::detail::counted<const by>::make(first, &twice_and_more)}}));
    });
  });
}

TEST_CASE("amb: five people on five floors live where the puzzle says, and nowhere else", "[law8]") {
  TACT_FOR_EACH_THREAD_COUNT(workers);
  tact::engine engine(quiet_options(workers));
  const auto nobody = engine.create(tact::choices(std::vector{floors{}}));
  const auto baker = engine.create(tact::choices_for_each(nobody, move_in<&floors::baker>));
  const auto not_top = engine.create(tact::such_that(baker, [](const floors& f) { return f.baker != 5; }));
  const auto cooper = engine.create(tact::choices_for_each(not_top, move_in<&floors::cooper, &floors::baker>));
  const auto fletcher =
      engine.create(tact::choices_for_each(cooper, move_in<&floors::fletcher, &floors::baker, &floors::cooper>));
  const auto apart = engine.create(tact::such_that(fletcher, [](const floors& f) {
    return f.cooper != 1 && f.fletcher != 1 && f.fletcher != 5 && std::abs(f.fletcher - f.cooper) != 1;
  }));
  const auto miller = engine.create(
      tact::choices_for_each(apart, move_in<&floors::miller, &floors::baker, &floors::cooper, &floors::fletcher>));
  const auto smith = engine.create(tact::choices_for_each(
      miller, move_in<&floors::smith, &floors::baker, &floors::cooper, &floors::fletcher, &floors::miller>));
  const auto solved = engine.create(tact::such_that(
      smith, [](const floors& f) { return f.miller > f.cooper && std::abs(f.smith - f.fletcher) != 1; }));
  CHECK(all_of<floors>(engine, solved) == std::vector{floors{3, 2, 4, 5, 1}});
  CHECK(all_of<floors>(engine, solved).empty());
}

TEST_CASE("amb: of choices without end it makes those that are asked for, depth first and in order", "[law5]") {
  struct triple {
    int c, a, b;
    bool operator==(const triple&) const = default;
  };
  tact::engine engine(quiet_options(2));
  std::atomic<int> expanded_count{0};
  const auto c = engine.create(tact::choices_between(1, std::numeric_limits<int>::max()));
  const auto all = engine.create(tact::choices_for_each(c, [&expanded_count](int n) {
    ++expanded_count;
    std::vector<triple> some;
    for (int a = 1; a < n; ++a) {
      for (int b = a; b < n; ++b) some.push_back({n, a, b});
    }
    return some;
  }));
  const auto right =
      engine.create(tact::such_that(all, [](const triple& t) { return t.a * t.a + t.b * t.b == t.c * t.c; }));
  std::vector<triple> found;
  for (int i = 0; i < 6; ++i) found.push_back(*engine.ask(right, tact::next_solution<triple>{}));
  CHECK(found == std::vector<triple>{{5, 3, 4}, {10, 6, 8}, {13, 5, 12}, {15, 9, 12}, {17, 8, 15}, {20, 12, 16}});
  CHECK(expanded_count == 20);
}

TEST_CASE("amb: what throws for one solution is told to one who asks, and the search goes on", "[law8]") {
  tact::engine engine(quiet_options(2));
  const auto three = engine.create(tact::choices_between(1, 3));
  const auto expands = engine.create(tact::choices_for_each(three, [](int n) {
    if (n == 2) throw std::runtime_error("two");
    return std::vector{n};
  }));
  const auto holds = engine.create(tact::such_that(expands, [](int n) {
    if (n == 3) throw std::runtime_error("three");
    return true;
  }));
  CHECK(engine.ask(holds, next_number{}) == 1);
  CHECK_THROWS_WITH(engine.ask(holds, next_number{}), Catch::Matchers::Contains("two"));
  CHECK_THROWS_WITH(engine.ask(holds, next_number{}), Catch::Matchers::Contains("three"));
  CHECK(engine.ask(holds, next_number{}) == std::nullopt);
  CHECK(all_of<int>(engine, engine.create(tact::choices_between(5, 4))).empty());
  const int most = std::numeric_limits<int>::max();
  CHECK(all_of<int>(engine, engine.create(tact::choices_between(most, most))) == std::vector{most});
}

}  // namespace amb_test
