// The eventcount on real threads.
#include "sync/eventcount.hpp"

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>
#include <vector>

#include "support/catch.hpp"

namespace eventcount_test {

namespace {

using tact::sync::real;
using eventcount = tact::sync::eventcount<real>;

template <class Found>
void await(eventcount& e, Found found) {
  while (!found()) {
    const std::uint32_t ticket = e.prepare();
    if (found()) return e.cancel();
    e.wait(ticket);
  }
}

}  // namespace

TEST_CASE("eventcount: a wait without notify ends at its deadline", "[sync]") {
  eventcount e;
  const std::uint32_t ticket = e.prepare();
  REQUIRE(e.has_waiters());
  REQUIRE_FALSE(e.wait(ticket, std::chrono::steady_clock::time_point{}));
}

TEST_CASE("eventcount: who looks and finds that it is not yet time wakes nobody", "[sync]") {
  eventcount e;
  e.notify_if([]() -> bool { throw std::logic_error("nobody waits, and yet he looks"); });
  const std::uint32_t ticket = e.prepare();
  e.notify_if([] { return false; });
  REQUIRE(e.has_waiters());
  REQUIRE_FALSE(e.wait(ticket, std::chrono::steady_clock::time_point{}));
  e.notify_if([] { return true; });
  REQUIRE_FALSE(e.has_waiters());
  REQUIRE(e.wait(ticket));
}

TEST_CASE("eventcount: a notify after prepare makes the wait return at once", "[sync]") {
  eventcount e;
  const std::uint32_t ticket = e.prepare();
  e.notify();
  REQUIRE_FALSE(e.has_waiters());
  REQUIRE(e.wait(ticket));
}

TEST_CASE("eventcount: threads that take turns never sleep through one", "[sync]") {
  constexpr unsigned rounds = 2000;
  for (const unsigned threads : {2u, 4u, 8u}) {
    eventcount changed;
    std::atomic<unsigned> turn{0};
    std::vector<std::thread> all;
    for (unsigned i = 0; i < threads; ++i) {
      all.emplace_back([&, i] {
        for (unsigned next = i; next < rounds; next += threads) {
          await(changed, [&] { return turn.load() == next; });
          turn.fetch_add(1);
          changed.notify();
        }
      });
    }
    for (auto& t : all) t.join();
    REQUIRE(turn.load() == rounds);
  }
}

}  // namespace eventcount_test
