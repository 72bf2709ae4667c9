// What lies between the threads of an engine, without any thread.
#include "dispatch/exchange/exchange.hpp"

#include <chrono>

#include "support/catch.hpp"
#include "sync/system.hpp"
#include "topology/plan.hpp"

namespace exchange_test {

namespace {

using namespace tact;

struct of_two_workers {
  dispatch::exchange between{topology::plan(2), {4}, &longest_victim, 0, nullptr};
  // Is the quiet event notified by this?
  template <class F>
  bool is_notified_by(F f) {
    const auto ticket = between.quiet_event().prepare();
    f();
    return between.quiet_event().wait(ticket, sync::clock::now());
  }
};

}  // namespace

TEST_CASE("exchange: the end of the engine waits for threads from outside, and is told when they leave", "[dispatch]") {
  of_two_workers e;
  CHECK_FALSE(e.between.has_visitors());
  REQUIRE(e.between.enter_to_help());
  REQUIRE(e.between.enter_from_loop());
  CHECK(e.between.has_visitors());
  CHECK(e.is_notified_by([&] { e.between.leave_helping(); }));
  CHECK(e.between.has_visitors());
  CHECK(e.is_notified_by([&] { e.between.leave_from_loop(); }));
  CHECK_FALSE(e.between.has_visitors());
}

// It is counted for a moment. If the thread that ends the engine looks just then, it has to be told.
TEST_CASE("exchange: a thread that finds the engine stopping tells the one that waits for its end", "[dispatch]") {
  of_two_workers e;
  e.between.threads().stop();
  CHECK(e.is_notified_by([&] { CHECK_FALSE(e.between.enter_to_help()); }));
  CHECK(e.is_notified_by([&] { CHECK_FALSE(e.between.enter_from_loop()); }));
  CHECK_FALSE(e.between.has_visitors());
  CHECK_FALSE(e.is_notified_by([] {}));
}

TEST_CASE("exchange: only one worker takes shards if no other runs and no thread helps", "[dispatch]") {
  of_two_workers e;
  CHECK_FALSE(e.between.has_one_runner());
  e.between.numbers().set_running(1);
  CHECK(e.between.has_one_runner());
  CHECK(e.between.some_rest());
  REQUIRE(e.between.enter_to_help());
  CHECK_FALSE(e.between.has_one_runner());
  e.between.leave_helping();
  CHECK(e.between.has_one_runner());
}

TEST_CASE("exchange: a worker is behind when a thief has tried to steal since it took up a shard", "[dispatch]") {
  of_two_workers e;
  auto& stealing = e.between.stealing();
  CHECK(stealing.is_idle(0));
  CHECK_FALSE(stealing.is_behind(0));
  e.between.status_of(0).takes_up(stealing.ticks());
  CHECK_FALSE(stealing.is_idle(0));
  CHECK_FALSE(stealing.is_behind(0));
  stealing.tick();
  CHECK(stealing.is_behind(0));
  e.between.status_of(0).show_nothing();
  CHECK_FALSE(stealing.is_behind(0));
}

TEST_CASE("worker status: a worker that is asked to part takes that once", "[dispatch]") {
  dispatch::worker_status s;
  CHECK_FALSE(s.take_parting());
  s.ask_to_part();
  s.ask_to_part();
  CHECK(s.take_parting());
  CHECK_FALSE(s.take_parting());
}

}  // namespace exchange_test
