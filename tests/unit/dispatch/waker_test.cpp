// Which workers are woken when a shard has got messages.
#include "dispatch/exchange/waker.hpp"

#include <chrono>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "dispatch/dispatcher.hpp"
#include "support/catch.hpp"
#include "support/silent_runner.hpp"
#include "support/still_machine.hpp"
#include "topology/plan.hpp"

namespace waker_test {

namespace {

using namespace tact;

// Two workers, both asleep when `announce` is called: the second one is run where the first one sleeps.
struct two_sleepers {
  explicit two_sleepers(std::function<void(two_sleepers&)> announce) {
    std::vector<std::function<void()>> bodies;
    machine.on_start = [&](auto body) { bodies.push_back(std::move(body)); };
    d.start([](dispatch::worker_context&) { return std::make_unique<support::silent_runner>(); });
    unsigned asleep = 0;
    machine.on_sleep = [&] {
      if (d.stopping()) return;
      if (++asleep == 1) return bodies[1]();
      announce(*this);
      d.stop();
    };
    bodies[0]();
    CHECK(asleep == 2);
    d.join();
  }

  support::still_machine machine;
  dispatch::dispatcher d{topology::plan(2), {2}, &longest_victim};
};

}  // namespace

TEST_CASE("waker: a worker that was idle is woken alone, however soon it begins", "[dispatch]") {
  const bool begins_at_once = GENERATE(false, true);
  unsigned woken = 0;
  const two_sleepers sleepers([&](two_sleepers& s) {
    s.machine.on_wake = [&] {
      ++woken;
      if (begins_at_once) s.d.waker().idle().remove(0);
    };
    REQUIRE(s.d.mail().shard_at(0).word.post_mail());
    s.d.waker().announce(s.d.mail().shard_at(0));
    s.machine.on_wake = [] {};
  });
  CHECK(woken == 1);
}

TEST_CASE("waker: beside a worker that is busy an idle one is woken, which keeps watch", "[dispatch]") {
  unsigned woken = 0;
  const two_sleepers sleepers([&](two_sleepers& s) {
    s.machine.on_wake = [&] { ++woken; };
    s.d.waker().idle().remove(0);
    REQUIRE(s.d.mail().shard_at(0).word.post_mail());
    s.d.waker().announce(s.d.mail().shard_at(0));
    s.machine.on_wake = [] {};
  });
  CHECK(woken == 2);  // the busy one has not gone on yet: it is asleep still
}

namespace {

// Handlers that take ten nanoseconds each, until the meter knows that they are quick.
void run_quick_ones(dispatch::cost_meter& meter, support::still_machine& machine) {
  for (int hold = 0; hold < 1'000 && !meter.is_quick(); ++hold) {
    meter.begin_hold(0, {.is_measured = true});
    for (bool more = true; more;) {
      do machine.pass(std::chrono::nanoseconds(10));
      while (!meter.step());
      if (meter.only_glances()) continue;
      meter.end_stretch(0);
      more = meter.next_stretch(0);
    }
    meter.end_hold(0);
  }
  REQUIRE(meter.is_quick());
}

}  // namespace

// Of three workers the first one is busy, and its shard has messages behind what it runs. The second one kept watch for
// them, and gets messages itself.
TEST_CASE("waker: a worker that becomes busy calls another one to watch what waits behind a third",
          "[dispatch][law7]") {
  const bool waits = GENERATE(false, true);
  const bool is_quick = GENERATE(false, true);  // then it watches by itself soon, because it will be idle again
  support::still_machine machine;
  dispatch::dispatcher d{topology::plan(3), {3}, &longest_victim};
  std::vector<std::function<void()>> bodies;
  machine.on_start = [&](auto body) { bodies.push_back(std::move(body)); };
  d.start([&](dispatch::worker_context&) {
    auto made = std::make_unique<support::silent_runner>();
    if (is_quick) run_quick_ones(made->meter, machine);
    return made;
  });
  unsigned sleeps = 0, woken = 0;
  machine.on_sleep = [&] {
    switch (++sleeps) {
      case 1:
        return bodies[2]();
      case 2:
        return bodies[1]();
      case 3:
        d.waker().idle().remove(0);
        if (waits) REQUIRE(d.mail().shard_at(0).word.post_mail());
        REQUIRE(d.mail().shard_at(1).word.post_mail());
        d.waker().announce(d.mail().shard_at(1));
        machine.on_wake = [&] { ++woken; };
        return;  // the second worker goes on
      default:
        machine.on_wake = [] {};
        return d.stop();
    }
  };
  bodies[0]();
  CHECK(woken == (waits && !is_quick ? 1 : 0));
  d.join();
}

}  // namespace waker_test
