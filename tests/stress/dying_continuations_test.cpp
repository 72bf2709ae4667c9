// What continuations say when their engine ends: whoever waits for the answer that they owe is told, wherever it is.
#include <atomic>
#include <iterator>
#include <optional>
#include <thread>
#include <vector>

#include "support/engine_fixture.hpp"
#include "tact/future.hpp"
#include "tact/loop.hpp"
#include "tact/patterns/ask_all.hpp"

namespace dying_continuations_test {

namespace {

using namespace tact;
using namespace tact::support;

struct query {
  using reply = long;
};
using service = request<query>;

// Keeps the requests that come, and answers none; says when one has come.
class keeper {
 public:
  explicit keeper(tact::engine& e)
      : who(e.create(behavior<service>{[this](auto& self, const service& m) {
          self.defer(m);
          ++have_come_;
          have_come_.notify_all();
        }})) {}
  // Until so many have come.
  void wait(int requests) {
    for (int n = have_come_; n < requests; n = have_come_) have_come_.wait(n);
  }

  std::atomic<int> have_come_{0};
  const ref<service> who;
};

// How an actor asks the other one for the answer that it owes.
enum class asking : int { with_otherwise, without, all, here, twice, deferred_first, while_it_ends };
constexpr asking askings[] = {asking::with_otherwise, asking::without,        asking::all,          asking::here,
                              asking::twice,          asking::deferred_first, asking::while_it_ends};

// Answers what the other one answers. Only the first way tells the customer itself when there is no answer; elsewhere
// the library does.
behavior<service> pass_through(ref<service> other, asking how, tracked kept = {}) {
  return {[=](auto& self, const service& m) {
    const auto reply = [m, kept](auto& tx, long answer) { tx.reply(m, answer); };
    if (how != asking::without) self.defer(m);
    switch (how) {
      case asking::with_otherwise:
        self.ask(other, query{}, reply, [m, kept](auto& tx, const failure& f) { tx.fail(m, f); });
        break;
      case asking::all:
        self.ask_all(std::vector{other}, query{},
                     [m, kept](auto& tx, const auto& outcomes) { tx.reply(m, outcomes.front() ? 1L : 0L); });
        break;
      case asking::here:
        self.ask_here(other, query{}, reply);
        break;
      case asking::twice:  // what answers is made by the first continuation
        self.ask(self.create(behavior<service>{[](auto& echo, const service& q) { echo.reply(q, 1L); }}), query{},
                 [other, reply](auto& tx, long) { tx.ask(other, query{}, reply); });
        break;
      case asking::while_it_ends:
        self.ask(
            other, query{}, [](auto&, long) {},
            [other, reply](auto& tx, const failure&) { tx.ask(other, query{}, reply); });
        break;
      default:
        self.ask(other, query{}, reply);
    }
    if (how == asking::without) self.defer(m);
  }};
}

enum class way { drain, cancel, destructor, overdue };

void end(std::optional<tact::engine>& e, way how) {
  if (how == way::drain) e->drain();
  if (how == way::cancel) e->cancel();
  if (how == way::overdue) {
    // The limit passes while a handler runs, so a thread of the engine goes on with the end.
    struct go {};
    door opens;
    std::atomic<bool> runs{false};
    e->create(behavior<go>{[&](auto&, const go&) {
                runs = true;
                runs.notify_all();
                opens.pass();
              }},
              blocking) |
        go{};
    runs.wait(false);
    CHECK_FALSE(e->drain(std::chrono::milliseconds(1)));
    opens.open();
    return e.reset();
  }
  e.reset();
}

engine_options options_of(unsigned workers) {
  auto o = quiet_options(workers);
  o.shutdown_timeout = std::chrono::seconds(10);
  return o;
}

}  // namespace

TEST_CASE("dying continuations: a customer in another engine hears that the engine of a continuation has ended",
          "[law8][law11]") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  const nothing_left left;
  const asking asked = GENERATE(from_range(std::begin(askings), std::end(askings)));
  for (const way how : {way::drain, way::cancel, way::destructor, way::overdue}) {
    INFO(static_cast<int>(how) << ", " << static_cast<int>(asked));
    tact::engine outer(quiet_options(2));
    keeper last(outer);  // lives longer than the engine that asks it
    std::optional<tact::engine> inner(options_of(workers));
    const auto front = inner->create(pass_through(last.who, asked));
    std::atomic<int> heard{0};
    struct go {};
    // An actor of the other engine, by a continuation; a thread, by a future of the other engine.
    const auto client = outer.create(behavior<go>{[&heard, front](auto& self, const go&) {
      self.ask(
          front, query{}, [](auto&, long) {},
          [&heard](auto&, const failure& f) { heard += f.reason == failure_reason::engine_ended ? 1 : 100; });
    }});
    client | go{};
    auto answer = outer.ask_future(front, query{});
    if (workers == 0) {
      REQUIRE(outer.wait_idle(generous));
      inner->run_until_idle();
    }
    last.wait(2);
    require_idle(*inner);
    end(inner, how);
    CHECK_THROWS_AS(answer.get(), ask_error);
    require_idle(outer);
    CHECK(heard == 1);
  }
}

TEST_CASE(
    "dying continuations: a customer hears that the loop of a continuation has ended, also one that is told nothing",
    "[law8][law11]") {
  const nothing_left left;
  for (const asking asked : {asking::with_otherwise, asking::without, asking::here}) {
    INFO(static_cast<int>(asked));
    tact::engine e(quiet_options(2));
    keeper last(e);
    std::optional<tact::loop> window(std::in_place, e, [] {});
    const auto front = e.create(pass_through(last.who, asked), tact::on_loop(*window));
    std::atomic<bool> was_told{false};
    std::thread outside([&] {
      try {
        (void)e.ask(front, query{});
      } catch (const ask_error&) {
        was_told = true;
      }
    });
    while (last.have_come_ == 0) window->pump();
    window.reset();
    outside.join();
    CHECK(was_told);
    require_idle(e);
  }
}

TEST_CASE("dying continuations: who was answered hears nothing more when another continuation dies", "[law8]") {
  const nothing_left left;
  tact::engine outer(quiet_options(1));
  keeper last(outer);
  std::optional<tact::engine> inner(options_of(2));
  const auto front = inner->create(behavior<service>{[&](auto& self, const service& m) {
    self.defer(m);
    self.ask(last.who, query{}, [](auto&, long) {});
    self.reply(m, 5L);
  }});
  auto answer = outer.ask_future(front, query{});
  last.wait(1);
  CHECK(answer.get() == 5);
  require_idle(*inner);
  inner->cancel();
  inner.reset();
  require_idle(outer);
  CHECK(outer.statistics().dead_letters == 0);
}

TEST_CASE("dying continuations: one that asks again when it is told does not keep the engine from ending", "[law11]") {
  const nothing_left left;
  tact::engine outer(quiet_options(1));
  keeper last(outer);
  std::optional<tact::engine> inner(options_of(1));
  struct go {};
  std::atomic<int> asked{0};
  struct again {
    static void ask(transaction& tx, ref<service> to, std::atomic<int>& asked, tracked kept) {
      ++asked;
      tx.ask(
          to, query{}, [](auto&, long) {},
          [to, &asked, kept](transaction& t, const failure&) { ask(t, to, asked, kept); });
    }
  };
  inner->create(behavior<go>{[&](auto& self, const go&) { again::ask(self, last.who, asked, {}); }}) | go{};
  last.wait(1);
  require_idle(*inner);
  inner->cancel();
  CHECK(asked == 2);
  inner.reset();
  CHECK(asked == 2);
}

TEST_CASE("dying continuations: what one throws is reported, and the others are told", "[law8][law11]") {
  const nothing_left left;
  tact::engine outer(quiet_options(1));
  keeper last(outer);
  auto options = options_of(2);
  std::atomic<int> reports{0};
  options.on_failure = [&](const failure_report&) { ++reports; };
  std::optional<tact::engine> inner(options);
  struct go {};
  std::atomic<int> told{0};
  const auto a = inner->create(behavior<go>{[&](auto& self, const go&) {
    self.ask(
        last.who, query{}, [](auto&, long) {},
        [&told](auto&, const failure&) {
          ++told;
          throw std::runtime_error("no");
        });
  }});
  for (int i = 0; i != 10; ++i) a | go{};
  last.wait(10);
  require_idle(*inner);
  inner->cancel();
  CHECK(told == 10);
  CHECK(reports == 10);
  require_accounted(*inner);
}

}  // namespace dying_continuations_test
