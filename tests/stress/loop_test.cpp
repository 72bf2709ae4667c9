// Loops on real threads: they come and go while workers make actors on them and send.
#include <atomic>
#include <memory>
#include <thread>

#include "support/engine_fixture.hpp"

namespace loop_test {

namespace {

using namespace tact;
using namespace tact::support;

struct touch {};
struct view : protocol<touch> {};

// As a window: only the loop's thread may touch it, as long as it exists.
struct window {
  std::atomic<bool> stands{true};
  std::thread::id owner = std::this_thread::get_id();
  std::atomic<long> touched{0};
  std::atomic<long> wrong{0};
};

behavior<view> show(std::shared_ptr<window> w) {
  return {[=, alive = tracked()](auto&, const touch&) {
    ++w->touched;
    if (!w->stands || w->owner != std::this_thread::get_id()) ++w->wrong;
  }};
}

struct draw {};
struct painter : protocol<draw> {};

// Makes a view and touches it, round after round, until the loop has ended.
behavior<painter> paint(std::shared_ptr<window> w, on where, std::atomic<int>& refused) {
  return {[=, &refused](auto& self, const draw&) {
    try {
      const auto made = self.create(show(w), where);
      for (int i = 0; i < 3; ++i) self.send(made, touch{});
      self.send(self.ref(), draw{});
    } catch (const usage_error&) {
      ++refused;
    }
  }};
}

}  // namespace

TEST_CASE("loop: handlers run on its thread only and not behind its end, while workers make actors there",
          "[law1][law4][law5][law11]") {
  TACT_SEEDED(seed);
  TACT_FOR_EACH_THREAD_COUNT(workers);
  const nothing_left left;
  {
    engine e(quiet_options(workers));
    dice d(seed);
    const int rounds = scaled(20);
    for (int round = 0; round < rounds; ++round) {
      const auto w = std::make_shared<window>();
      const auto enough = static_cast<long>(d.below(2'000));
      std::atomic<int> refused{0};
      std::atomic<bool> rung{false};
      constexpr int painters = 3;
      {
        tact::loop place(e, [&] {
          rung = true;
          rung.notify_one();
        });
        for (int i = 0; i < painters; ++i) e.send(e.create(paint(w, on(place), refused)), draw{});
        while (w->touched < enough) {
          rung.wait(false);
          rung = false;
          if (place.pump(1 + d.below(20)).more) rung = true;
        }
      }
      w->stands = false;
      REQUIRE(e.wait_idle(generous));
      CHECK(refused == painters);
      CHECK(w->wrong == 0);
    }
    require_accounted(e);
    CHECK(e.statistics().actors_alive == static_cast<std::uint64_t>(3 * rounds));
  }
}

TEST_CASE("loop: the engine may be cancelled by another thread while the loop pumps", "[law11]") {
  TACT_FOR_EACH_THREAD_COUNT(workers);
  const nothing_left left;
  for (int round = 0; round < scaled(20); ++round) {
    auto e = std::make_unique<engine>(quiet_options(workers));
    const auto w = std::make_shared<window>();
    std::atomic<int> refused{0};
    std::atomic<bool> over{false};
    std::atomic<bool> pumps{false};
    std::thread gui([&] {
      w->owner = std::this_thread::get_id();
      tact::loop place(*e, [] {});
      e->send(e->create(paint(w, on(place), refused)), draw{});
      while (!over) {
        static_cast<void>(place.pump(7));
        pumps = pumps || w->touched > 100;
      }
    });
    while (!pumps) std::this_thread::yield();
    CHECK(e->cancel(generous));
    over = true;
    gui.join();
    e.reset();
    CHECK(w->wrong == 0);
  }
}

}  // namespace loop_test
