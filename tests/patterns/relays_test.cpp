// Relays: constant, label, tee and splay; and services made of services: pipe, sequence, and, or, all_of of those that
// differ. Whatever fails, each request ends once.
#include <array>
#include <memory>
#include <string>
#include <vector>

#include "patterns/trouble.hpp"
#include "tact/patterns.hpp"

namespace relays_test {

namespace {

using namespace tact::patterns_tests;
using namespace std::chrono_literals;
using tact::failure;
using tact::failure_reason;
using tact::request;
using tact::transaction;

struct text {
  using reply = std::string;
  std::string words{};
  tracked instance{};
};
struct length {
  using reply = long;
  std::string words{};
  tracked instance{};
};
struct twice {
  using reply = long;
  long number = 0;
};

template <class Q, class F>
tact::ref<request<Q>> serve(tact::engine& e, F f) {
  return e.create(tact::behavior<request<Q>>{[f](auto& self, const request<Q>& m) { self.reply(m, f(m.body)); }},
                  tact::parallel);
}

auto doubled(tact::engine& e) {
  return serve<twice>(e, [](const twice& m) { return 2 * m.number; });
}
auto measured(tact::engine& e) {
  return serve<length>(e, [](const length& m) { return static_cast<long>(m.words.size()); });
}
auto repeated(tact::engine& e) {
  return serve<text>(e, [](const text& m) { return m.words + m.words; });
}

template <class Pipe>
void ask_through_pipe(tact::simulation& sim, const trouble& t, const Pipe& make) {
  auto& engine = sim.engine(quiet_options(3));
  const auto gate = engine.create(make(repeated(engine), measured(engine), doubled(engine)));
  t.begin();
  struct right {
    bool operator()(long answer, int item) const { return answer == 80 + 4 * item; }
    bool operator()(const tact::ask_error&) const { return false; }
  };
  const auto query = [](int item) {
    return tact::to_pipe<text, long>{{std::string(static_cast<std::size_t>(20 + item), 'x')}};
  };
  ask_through(sim, t, engine, gate, query, right());
}

constexpr auto pipe_of = [](auto... services) { return tact::pipe(services...); };

// A pipe whose continuations owe nothing.
constexpr auto pipe_without_debt = [](auto first, auto second, auto third) {
  using asked = request<tact::to_pipe<text, long>>;
  return tact::behavior<asked>{[=](auto& self, const asked& m) {
    self.defer(m);
    self.ask(first, m.body.query, [=](transaction& tx, const std::string& words) {
      tx.ask(second, length{words}, [=](transaction& later, long n) {
        later.send(third, request<twice>{m.customer, {n}});
      });
    });
  }};
};

}  // namespace

TEST_CASE("pipe: each request goes through all services and ends once, whatever fails", "[law1][law8]") {
  require_whatever_fails([](tact::simulation& sim, const trouble& t) { ask_through_pipe(sim, t, pipe_of); });
}

TEST_CASE("pipe: one whose continuations owe nothing is found", "[law8]") {
  require_found_when_it_fails(
      [](tact::simulation& sim, const trouble& t) { ask_through_pipe(sim, t, pipe_without_debt); });
}

TEST_CASE("pipe: a service that fails is the end, and its reason is told", "[law8]") {
  TACT_FOR_EACH_THREAD_COUNT(workers);
  const nothing_left left;
  tact::engine engine(quiet_options(workers));
  std::atomic<int> asked_behind{0};
  const auto behind = serve<twice>(engine, [&](const twice&) { return ++asked_behind, 0L; });
  const auto torn = serve<length>(engine, [](const length&) -> long { throw std::runtime_error("torn"); });
  const auto through_torn = engine.create(tact::pipe(repeated(engine), torn, behind));
  CHECK_THROWS_WITH((engine.ask(through_torn, tact::to_pipe<text, long>{{"a"}})), Catch::Contains("torn"));
  const auto through_nobody = engine.create(tact::pipe(repeated(engine), tact::ref<request<length>>(), behind));
  CHECK_THROWS_WITH((engine.ask(through_nobody, tact::to_pipe<text, long>{{"a"}})), Catch::Contains("target ended"));
  require_idle(engine);
  CHECK(asked_behind == 0);
}

TEST_CASE("all_of: of services that differ each outcome is in its place, whatever fails", "[law1][law8]") {
  require_whatever_fails([](tact::simulation& sim, const trouble& t) {
    auto& engine = sim.engine(quiet_options(3));
    const auto gate = engine.create(tact::all_of(repeated(engine), doubled(engine), tact::ref<request<length>>()));
    t.begin();
    using answer = tact::to_each<text, twice, length>::reply;
    struct right {
      bool none;
      bool operator()(const answer& all, int item) const {
        const auto& [words, number, nobody] = all;
        const bool first = words && *words == std::string(static_cast<std::size_t>(2 * item), 'y');
        const bool second = number && *number == 2 * item;
        const bool third = !nobody && nobody.why().reason == failure_reason::target_ended;
        return none ? first && second && third : int{first} + int{second} + int{third} >= 2;
      }
      bool operator()(const tact::ask_error&) const { return false; }
    };
    const auto query = [](int item) {
      return tact::to_each<text, twice, length>{
          {text{std::string(static_cast<std::size_t>(item), 'y')}, twice{item}, {}}};
    };
    ask_through(sim, t, engine, gate, query, right{t.is_none()});
  });
}

TEST_CASE("all_of: of services that differ the one that is late has timed out", "[law8]") {
  tact::simulation sim(1);
  auto& engine = sim.engine(quiet_options(2));
  const auto never =
      engine.create(tact::behavior<request<twice>>{[](auto& self, const request<twice>& m) { self.defer(m); }});
  const auto gate = engine.create(tact::all_of(3ms, repeated(engine), never));
  const auto [words, number] = engine.ask(gate, tact::to_each<text, twice>{{text{"a"}, twice{1}}});
  CHECK(words.value() == "aa");
  REQUIRE(!number);
  CHECK(number.why().reason == failure_reason::timed_out);
  CHECK_THROWS_AS(number.value(), tact::ask_error);
  CHECK(sim.now() == 3ms);
}

// -- and, or, sequence

namespace {

// What a check says: yes, no, or nothing but an exception.
enum class verdict : unsigned char { yes, no, throws };

struct opinion {
  bool holds = false;
  int of = -1;
  explicit operator bool() const noexcept { return holds; }
};
struct check_it {
  using reply = opinion;
};
using checks = std::vector<tact::ref<request<check_it>>>;

checks open_checks(tact::engine& e, const std::vector<verdict>& all, std::vector<std::atomic<int>>* asked = nullptr) {
  checks made;
  for (std::size_t i = 0; i < all.size(); ++i) {
    made.push_back(e.create(tact::behavior<request<check_it>>{[=, v = all[i]](auto& self, const request<check_it>& m) {
                              if (asked != nullptr) ++(*asked)[i];
                              if (v == verdict::throws) throw std::runtime_error("check " + std::to_string(i));
                              self.reply(m, opinion{v == verdict::yes, static_cast<int>(i)});
                            }},
                            tact::parallel));
  }
  return made;
}

// What must come of it: the check whose answer is told, or -1 - the one whose failure is; in parallel any of several.
using allowed = std::vector<int>;
allowed of_and(const std::vector<verdict>& all, bool in_parallel) {
  allowed a;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const int at = static_cast<int>(i);
    if (all[i] != verdict::yes) a.push_back(all[i] == verdict::no ? at : -1 - at);
    if (!a.empty() && !in_parallel) return a;
  }
  return a.empty() ? allowed{static_cast<int>(all.size()) - 1} : a;
}
allowed of_or(const std::vector<verdict>& all, bool in_parallel) {
  allowed yes;
  allowed failed;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const int at = static_cast<int>(i);
    if (all[i] == verdict::yes && (in_parallel || yes.empty())) yes.push_back(at);
    if (all[i] == verdict::throws && (in_parallel || failed.empty())) failed.push_back(-1 - at);
  }
  if (!yes.empty()) return yes;
  return failed.empty() ? allowed{static_cast<int>(all.size()) - 1} : failed;
}
allowed of_sequence(const std::vector<verdict>& all, bool) {
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i] == verdict::throws) return {-1 - static_cast<int>(i)};
  }
  return {static_cast<int>(all.size()) - 1};
}

int ask_it(tact::engine& e, tact::ref<request<check_it>> gate) {
  try {
    return e.ask(gate, check_it{}).of;
  } catch (const tact::ask_error& error) {
    const std::string what = error.what();
    return -1 - std::stoi(what.substr(what.rfind(' ')));
  }
}

bool is_one_of(int came, const allowed& all) { return std::find(all.begin(), all.end(), came) != all.end(); }

struct kind {
  const char* name;
  tact::behavior<request<check_it>> (*make)(checks);
  allowed (*expected)(const std::vector<verdict>&, bool);
  bool in_parallel;
};
constexpr kind kinds[] = {
    {"and_in_series", &tact::and_in_series<check_it>, &of_and, false},
    {"or_in_series", &tact::or_in_series<check_it>, &of_or, false},
    {"and_in_parallel", &tact::and_in_parallel<check_it>, &of_and, true},
    {"or_in_parallel", &tact::or_in_parallel<check_it>, &of_or, true},
    {"sequence", &tact::sequence<check_it>, &of_sequence, false},
};

std::vector<verdict> verdicts_of(int number, std::size_t count) {
  std::vector<verdict> all;
  for (std::size_t i = 0; i < count; ++i, number /= 3) all.push_back(static_cast<verdict>(number % 3));
  return all;
}

}  // namespace

TEST_CASE("and, or, sequence: for all verdicts of up to three services the outcome is that of the reference",
          "[law8]") {
  TACT_FOR_EACH_THREAD_COUNT(workers);
  tact::engine engine(quiet_options(workers));
  for (const kind& k : kinds) {
    for (std::size_t count = 1; count <= 3; ++count) {
      for (int number = 0; number < (count == 1 ? 3 : count == 2 ? 9 : 27); ++number) {
        const auto all = verdicts_of(number, count);
        const int came = ask_it(engine, engine.create(k.make(open_checks(engine, all))));
        INFO(k.name << " of " << count << " services, verdicts " << number << ", came " << came);
        REQUIRE(is_one_of(came, k.expected(all, k.in_parallel)));
      }
    }
  }
  require_idle(engine);
}

TEST_CASE("and, or, sequence: in series no service is asked behind the one that decides", "[law8]") {
  tact::engine engine(quiet_options(2));
  std::vector<std::atomic<int>> asked(3);
  const auto ask_one = [&](const kind& k, const std::vector<verdict>& all) {
    for (auto& a : asked) a = 0;
    ask_it(engine, engine.create(k.make(open_checks(engine, all, &asked))));
    return std::array<int, 3>{asked[0], asked[1], asked[2]};
  };
  using counts = std::array<int, 3>;
  CHECK(ask_one(kinds[0], {verdict::yes, verdict::no, verdict::yes}) == counts{1, 1, 0});
  CHECK(ask_one(kinds[0], {verdict::throws, verdict::no, verdict::yes}) == counts{1, 0, 0});
  CHECK(ask_one(kinds[1], {verdict::throws, verdict::yes, verdict::yes}) == counts{1, 1, 0});
  CHECK(ask_one(kinds[4], {verdict::no, verdict::throws, verdict::yes}) == counts{1, 1, 0});
}

TEST_CASE("and, or, sequence: each request ends once, whatever fails", "[law1][law8]") {
  const auto& k = GENERATE(from_range(std::begin(kinds), std::end(kinds)));
  INFO(k.name);
  require_whatever_fails(
      [&k](tact::simulation& sim, const trouble& t) {
        auto& engine = sim.engine(quiet_options(3));
        const bool is_or = k.expected == &of_or;
        const auto all = is_or ? std::vector{verdict::no, verdict::throws, verdict::yes}
                               : std::vector{verdict::yes, verdict::yes, verdict::no};
        const auto gate = engine.create(k.make(open_checks(engine, all)));
        t.begin();
        struct right {
          bool operator()(const opinion& o, int) const { return o.of == 2; }
          bool operator()(const tact::ask_error&) const { return false; }
        };
        ask_through(
            sim, t, engine, gate, [](int) { return check_it{}; }, right());
      },
      300, 10);
}

TEST_CASE("sequence: stops between two services when the task is over, and says so", "[law8]") {
  tact::engine engine(quiet_options(2));
  const tact::cancel_flag stop;
  std::atomic<int> asked_behind{0};
  const auto first = serve<twice>(engine, [&](const twice& m) { return stop.request_stop(), m.number; });
  const auto second = serve<twice>(engine, [&](const twice& m) { return ++asked_behind, m.number; });
  const auto gate = engine.create(tact::sequence<twice>({first, second, second}));
  // Who asks in the context hears it at once, and of the sequence, whichever is first; a customer outside of it hears
  // the sequence.
  const auto says_why = [](const std::string& text) {
    return text.find("a flag of its context is set") != std::string::npos ||
           text.find("the task is over") != std::string::npos;
  };
  tact::with_context(tact::context().with_flag(stop), [&] {
    try {
      (void)engine.ask(gate, twice{1});
      FAIL_CHECK("the task was not over");
    } catch (const tact::ask_error& e) {
      CHECK(says_why(e.what()));
    }
  });
  require_idle(engine);
  std::string said;
  const auto asks = engine.create(tact::behavior<check_it>{[&](auto& self, const check_it&) {
    const auto customer = self.beta([](auto&, long) {}, [&said](const tact::failure& f) { said = f.what; });
    tact::with_context(tact::context().with_flag(stop), [&] { self.send(gate, tact::request<twice>{customer, {1}}); });
  }});
  engine.send(asks, check_it{});
  require_idle(engine);
  CHECK(says_why(said));
  CHECK(asked_behind == 0);
}

TEST_CASE("and, or, sequence: of nobody are refused by name", "[law8]") {
  for (const kind& k : kinds) CHECK_THROWS_WITH(k.make({}), Catch::Contains("give one service at least"));
  CHECK_THROWS_WITH(tact::or_in_parallel<check_it>(checks(63)), Catch::Contains("here are 63"));
}

// -- plain relays

namespace {

struct note {
  int number = 0;
  std::string words{};
  tracked instance{};
};

}  // namespace

namespace {

using notes = std::shared_ptr<std::vector<int>>;

tact::ref<note> open_reader(tact::engine& e, const notes& all) {
  return e.create(tact::behavior<note>{[all](auto&, const note& m) { all->push_back(m.number); }});
}

// A thread sends five notes through a relay to two readers. Both read the same, in order.
template <class Make>
void two_readers(tact::simulation& sim, const trouble& t, const Make& make) {
  auto& engine = sim.engine(quiet_options(3));
  const auto first = std::make_shared<std::vector<int>>();
  const auto second = std::make_shared<std::vector<int>>();
  const tact::ref<note> relay = engine.create(make(open_reader(engine, first), open_reader(engine, second)));
  t.begin();
  sim.start_thread([&engine, relay, t] {
    for (int i = 0; i < 5; ++i) t.tries([&] { engine.send(relay, note{i, "words"}); });
  });
  sim.run();
  sim.check(*first == *second, "one reader has read what the other has not");
  sim.check(std::is_sorted(first->begin(), first->end()), "notes have changed places");
  sim.check(first->size() == 5 || (first->size() == 4 && !t.is_none()), "notes were lost or doubled");
  sim.end();
}

}  // namespace

TEST_CASE("tee, splay: what one reader is sent, the others are sent too, whatever fails", "[law1][law5]") {
  const bool is_tee = GENERATE(false, true);
  require_whatever_fails([=](tact::simulation& sim, const trouble& t) {
    two_readers(sim, t, [=](tact::ref<note> a, tact::ref<note> b) {
      return is_tee ? tact::tee<note>(a, {b}) : tact::splay<note>({a, b});
    });
  });
}

TEST_CASE("tee, splay: one that sends in two runs is found", "[law1]") {
  require_found_when_it_fails([](tact::simulation& sim, const trouble& t) {
    two_readers(sim, t, [](tact::ref<note> a, tact::ref<note> b) {
      return tact::behavior<note>{[=](auto& self, const note& m) {
        self.send(a, m);
        self.on_commit([=](transaction& tx) { tx.send(b, m); });
      }};
    });
  });
}

TEST_CASE("constant, label: each message is answered, or labelled, once, whatever fails", "[law1][law8]") {
  require_whatever_fails([](tact::simulation& sim, const trouble& t) {
    auto& engine = sim.engine(quiet_options(3));
    using marked = tact::labelled<int, note>;
    const auto read = std::make_shared<std::vector<int>>();
    const auto desk = engine.create(
        tact::behavior<marked>{[read](auto&, const marked& m) { read->push_back(m.label * 10 + m.message.number); }});
    const auto way = engine.create(tact::labeller<note>(desk, 7));
    const auto one = engine.create(tact::constant<twice>(4));
    t.begin();
    bool was_sent = false;
    sim.start_thread([&, way, t] { was_sent = t.tries([&] { engine.send(way, note{1}); }); });
    sim.run();
    sim.check(read->size() <= 1 && (read->empty() || read->front() == 71), "a note is not labelled once");
    sim.check(!read->empty() || !was_sent || !t.is_none(), "a note was lost");
    struct right {
      bool operator()(long answer, int) const { return answer == 4; }
      bool operator()(const tact::ask_error&) const { return false; }
    };
    ask_through(
        sim, t, engine, one, [](int item) { return twice{item}; }, right());
  });
}

TEST_CASE("constant: answers each request with the same", "[law8]") {
  TACT_FOR_EACH_THREAD_COUNT(workers);
  const nothing_left left;
  tact::engine engine(quiet_options(workers));
  const auto one = engine.create(tact::constant<text>(std::string(100, 'c')), tact::parallel);
  for (int i = 0; i < 100; ++i) REQUIRE(engine.ask(one, text{}) == std::string(100, 'c'));
  struct set {
    using reply = void;
  };
  engine.ask(engine.create(tact::constant<set>({})), set{});
}

TEST_CASE("label: the receiver knows by which way each message came", "[law5]") {
  TACT_FOR_EACH_THREAD_COUNT(workers);
  const nothing_left left;
  tact::engine engine(quiet_options(workers));
  std::array<std::vector<int>, 2> came;
  using marked = tact::labelled<int, note>;
  const auto desk = engine.create(tact::behavior<marked>{
      [&](auto&, const marked& m) { came[static_cast<std::size_t>(m.label)].push_back(m.message.number); }});
  const std::array ways{engine.create(tact::labeller<note>(desk, 0)), engine.create(tact::labeller<note>(desk, 1))};
  for (int i = 0; i < scaled(1'000); ++i) engine.send(ways[static_cast<std::size_t>(i % 2)], note{i});
  require_idle(engine);
  for (int way = 0; way < 2; ++way) {
    const auto& all = came[static_cast<std::size_t>(way)];
    REQUIRE(all.size() == static_cast<std::size_t>(scaled(1'000) / 2));
    for (std::size_t i = 0; i < all.size(); ++i) REQUIRE(all[i] == static_cast<int>(2 * i) + way);
  }
}

TEST_CASE("tee, splay: each actor is sent everything, in order", "[law4][law5]") {
  TACT_FOR_EACH_THREAD_COUNT(workers);
  const nothing_left left;
  tact::engine engine(quiet_options(workers));
  std::array<std::vector<int>, 3> came;
  std::vector<tact::ref<note>> all;
  for (auto& c : came) {
    all.push_back(engine.create(tact::behavior<note>{[&c](auto&, const note& m) { c.push_back(m.number); }}));
  }
  const bool is_tee = GENERATE(false, true);
  const auto relay = engine.create(is_tee ? tact::tee<note>(all[0], {all[1], all[2]}) : tact::splay<note>(all));
  const int count = scaled(1'000);
  for (int i = 0; i < count; ++i) engine.send(relay, note{i, std::string(200, 'n')});
  require_idle(engine);
  for (const auto& c : came) {
    REQUIRE(c.size() == static_cast<std::size_t>(count));
    CHECK(std::is_sorted(c.begin(), c.end()));
  }
  CHECK(engine.statistics().messages_sent == static_cast<std::uint64_t>(4 * count));
}

}  // namespace relays_test
