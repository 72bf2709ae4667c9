// What is said of an engine that hangs: its description, the watchdog, and functions that signals call.
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <future>
#include <sstream>
#include <string>

#include "support/death.hpp"
#include "support/engine_fixture.hpp"
#include "tact/description.hpp"
#include "tact/inspect/signal_call.hpp"
#include "tact/inspect/watchdog.hpp"

namespace inspect_hangs_test {

namespace {

using namespace tact::support;
using tact::inspect::late_handler;
using tact::inspect::signal_call;
using tact::inspect::watchdog;

struct block {};
struct blocker_state {
  std::promise<void> is_in;
  std::promise<void> may_go;
};

tact::behavior<block> blocking(blocker_state& s) {
  return [&s](auto&, const block&) {
    s.is_in.set_value();
    s.may_go.get_future().wait();
  };
}

}  // namespace

TEST_CASE("describe: it says which handler a worker runs, and how many messages wait") {
  blocker_state state;
  tact::engine engine(quiet_options(1));
  const auto busy = engine.create(blocking(state), tact::named("the busy one"));
  engine.send(busy, block{});
  state.is_in.get_future().wait();
  const tact::engine_description d = engine.describe();
  REQUIRE(d.threads.size() == 1);
  CHECK(d.threads[0].doing == tact::thread_doing::handling);
  CHECK(d.threads[0].actor.find("the busy one") != std::string::npos);
  CHECK(d.threads[0].message.find("block") != std::string::npos);
  CHECK(d.statistics.in_flight() >= 1);
  std::ostringstream text;
  text << d;
  CHECK(text.str().find("worker 0 runs the busy one") != std::string::npos);
  state.may_go.set_value();
}

TEST_CASE("describe: a worker that has nothing to do sleeps, and dead letters have their time") {
  tact::engine engine(quiet_options(2));
  const auto gone = engine.create(tact::behavior<block>([](auto& self, const block&) { self.stop(); }));
  engine.send(gone, block{});
  engine.send(gone, block{});
  require_idle(engine);
  tact::engine_description d = engine.describe();
  while (d.threads.at(0).doing == tact::thread_doing::searching) d = engine.describe();
  CHECK(d.threads[0].doing != tact::thread_doing::handling);
  REQUIRE(d.dead_letters.size() == 1);
  CHECK(d.dead_letters[0].at <= std::chrono::steady_clock::now().time_since_epoch());
  CHECK(d.dead_letters[0].at > std::chrono::nanoseconds(0));
  const auto counts = engine.dead_letters_by_reason();
  REQUIRE(counts.size() == 1);
  CHECK(counts[0].reason == tact::failure_reason::target_ended);
  CHECK(counts[0].messages == 1);
}

TEST_CASE(
    "watchdog: a handler that runs beyond the limit is named, with its actor and message, and again when it has "
    "run twice as long") {
  blocker_state state;
  tact::engine engine(quiet_options(2));
  const auto busy = engine.create(blocking(state), tact::named("the busy one"));
  std::promise<late_handler> first;
  std::promise<late_handler> second;
  unsigned told = 0;
  const watchdog dog(engine, {.limit = std::chrono::milliseconds(20), .on_late = [&](const late_handler& h) {
                                if (++told == 1) first.set_value(h);
                                if (told == 2) second.set_value(h);
                              }});
  engine.send(busy, block{});
  const late_handler one = first.get_future().get();
  CHECK(one.runs_for >= std::chrono::milliseconds(20));
  CHECK(one.where.actor.find("the busy one") != std::string::npos);
  CHECK(one.where.message.find("block") != std::string::npos);
  CHECK(second.get_future().get().runs_for >= 2 * one.runs_for);
  state.may_go.set_value();
  require_idle(engine);
}

TEST_CASE("watchdog: nothing is said of an engine that is idle or handles quick messages") {
  tact::engine engine(quiet_options(2));
  const auto quick = engine.create(tact::behavior<block>([](auto&, const block&) {}));
  unsigned told = 0;
  watchdog dog(engine, {.limit = std::chrono::hours(1), .on_late = [&](const late_handler&) { ++told; }});
  for (int n = 0; n < 1000; ++n) {
    engine.send(quick, block{});
    dog.look();
  }
  require_idle(engine);
  watchdog strict(engine, {.limit = std::chrono::nanoseconds(1), .on_late = [&](const late_handler&) { ++told; }});
  for (int n = 0; n < 10; ++n) strict.look();
  CHECK(told == 0);
}

TEST_CASE("watchdog: a limit that makes no sense is named") {
  tact::engine engine(quiet_options(1));
  CHECK_THROWS_WITH(watchdog(engine, {.limit = std::chrono::nanoseconds(0)}),
                    Catch::Contains("watchdog_options.limit"));
}

TEST_CASE("signal call: the function is called once the signal has come, and not when the object has ended") {
  std::promise<void> called;
  {
    const signal_call calls(SIGUSR1, [&] { called.set_value(); });
    CHECK_THROWS_WITH(signal_call(SIGUSR1, [] {}), Catch::Contains("let that one end first"));
    std::raise(SIGUSR1);
    called.get_future().wait();
  }
  std::promise<void> again;
  const signal_call calls(SIGUSR1, [&] { again.set_value(); });
  std::raise(SIGUSR1);
  again.get_future().wait();
}

TEST_CASE("signal call: a program that aborts waits for the function first, and ends by the same signal") {
  const std::string words = last_words([] {
    const signal_call calls(SIGABRT, [] { std::fputs("what was kept is written\n", stderr); });
    std::abort();
  });
  CHECK(words.find("what was kept is written") != std::string::npos);
}

TEST_CASE("signal call: numbers that are no signals to catch, and empty functions, are named") {
  for (const int signal : {0, -1, SIGKILL, SIGSTOP, 100000})
    CHECK_THROWS_AS(signal_call(signal, [] {}), tact::option_error);
  CHECK_THROWS_AS(signal_call(SIGUSR2, std::function<void()>()), tact::option_error);
}

}  // namespace inspect_hangs_test
