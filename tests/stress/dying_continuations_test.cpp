// What continuations say when their engine ends: whoever waits for the answer that they owe is told, wherever it is.
#include <optional>
#include <thread>

#include "support/engine_fixture.hpp"
#include "tact/future.hpp"

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

// Answers what the other one answers; or fails the customer with what it hears in place of an answer.
behavior<service> pass_through(ref<service> other, tracked kept = {}) {
  return {[other, kept](auto& self, const service& m) {
    self.defer(m);
    self.ask(
        other, query{}, [m, kept](auto& tx, long answer) { tx.reply(m, answer); },
        [m, kept](auto& tx, const failure& f) { tx.fail(m, f); });
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
  for (const way how : {way::drain, way::cancel, way::destructor, way::overdue}) {
    INFO(static_cast<int>(how));
    tact::engine outer(quiet_options(2));
    keeper last(outer);  // lives longer than the engine that asks it
    std::optional<tact::engine> inner(options_of(workers));
    const auto front = inner->create(pass_through(last.who));
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
