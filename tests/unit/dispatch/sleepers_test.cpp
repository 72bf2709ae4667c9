// The turn in which a run gives messages to the workers that sleep, without an engine.
#include "dispatch/holding/sleepers.hpp"

#include "support/catch.hpp"

namespace sleepers_test {

TEST_CASE("sleepers: each has its turn, and the worker that gives has none", "[actor]") {
  tact::dispatch::idle_set idle(4);
  idle.remove(2);
  tact::dispatch::sleepers s(idle, 2);
  CHECK(s.any());
  CHECK(s.count() == 3);
  CHECK(s.next() == 1U);
  CHECK(s.next() == 3U);
  CHECK(s.next() == 0U);
  CHECK(s.next() == 1U);
}

TEST_CASE("sleepers: while no other worker sleeps there is none to give to", "[actor]") {
  tact::dispatch::idle_set idle(2);
  idle.remove(0);
  tact::dispatch::sleepers s(idle, 1);
  CHECK_FALSE(s.next());  // only the worker itself is in the set
  idle.remove(1);
  CHECK_FALSE(s.any());
  CHECK_FALSE(s.next());
}

TEST_CASE("sleepers: the messages of a run are counted from nought", "[actor]") {
  const tact::dispatch::idle_set idle(2);
  tact::dispatch::sleepers s(idle, 0);
  CHECK(s.count_message() == 0);
  CHECK(s.count_message() == 1);
  s.begin_run();
  CHECK(s.count_message() == 0);
}

}  // namespace sleepers_test
