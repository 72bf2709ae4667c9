// The real policy's sleep and wake.
#include <atomic>
#include <chrono>
#include <thread>

#include "support/catch.hpp"
#include "sync/policy.hpp"

namespace futex_test {

using std::chrono::steady_clock;
using tact::sync::real;
using namespace std::chrono_literals;

TEST_CASE("futex: a wait on another value returns at once", "[sync]") {
  const real::atomic<std::uint32_t> word{1};
  REQUIRE(real::futex_wait(word, 0));
}

TEST_CASE("futex: a deadline ends the wait, not before its time", "[sync]") {
  const real::atomic<std::uint32_t> word{0};
  const auto until = steady_clock::now() + 5ms;
  while (real::futex_wait(word, 0, until)) {  // may wake for no reason
  }
  REQUIRE(steady_clock::now() >= until);
}

TEST_CASE("futex: a deadline that has passed, even before the clock's beginning, ends the wait", "[sync]") {
  const real::atomic<std::uint32_t> word{0};
  REQUIRE_FALSE(real::futex_wait(word, 0, steady_clock::time_point{}));
  REQUIRE_FALSE(real::futex_wait(word, 0, steady_clock::time_point::min()));
}

TEST_CASE("futex: a wake reaches a sleeper, with the farthest deadline too", "[sync]") {
  real::atomic<std::uint32_t> word{0};
  std::thread sleeper([&] {
    while (word.load() == 0) real::futex_wait(word, 0, steady_clock::time_point::max());
  });
  word.store(1);
  real::futex_wake(word, 1);
  sleeper.join();
  REQUIRE(word.load() == 1);
}

}  // namespace futex_test
