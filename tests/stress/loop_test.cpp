// Loops on real threads: they come and go while workers make actors on them and send.
#include <atomic>
#include <memory>
#include <thread>

#include "support/engine_fixture.hpp"
#include "tact/patterns/supervisor.hpp"

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
behavior<painter> paint(std::shared_ptr<window> w, on_loop where, std::atomic<int>& refused) {
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

struct question {
  using reply = int;
};
struct informant : protocol<request<question>> {};
behavior<informant> inform() {
  return {[alive = tracked()](auto& self, const request<question>& m) { self.reply(m, 7); }};
}

// Asks the informant once it is touched, and waits for the answer.
behavior<view> wonder(ref<informant> of, std::atomic<int>& told) {
  return {[=, &told, alive = tracked()](auto& self, const touch&) {
    if (self.ask(of, question{}) == 7) ++told;
  }};
}

// Of each group: members on the loop, elsewhere, and elsewhere waiting for one on the loop.
template <class Group>
void fill(Group& group, const on_loop& here, const std::shared_ptr<window>& w, std::atomic<int>& told) {
  const auto informed = group.create(inform(), here);
  for (int i = 0; i < 3; ++i) {
    group.create(wonder(informed, told)) | touch{};
    group.create(show(w), here) | touch{};
  }
}

}  // namespace

TEST_CASE("loop: a scope that is destroyed on its thread runs it until the members have ended", "[law5][law11]") {
  TACT_FOR_EACH_THREAD_COUNT(workers);
  const nothing_left left;
  const bool supervised = GENERATE(false, true);
  INFO("supervised=" << supervised);
  for (int round = 0; round < scaled(60); ++round) {
    const auto w = std::make_shared<window>();
    std::atomic<int> told{0};
    engine e(quiet_options(workers));
    tact::loop place(e, [] {});
    if (supervised) {
      supervisor group(e);
      fill(group, on_loop(place), w, told);
      if (round % 2 == 0) static_cast<void>(place.pump(1));
    } else {
      scope group(e);
      fill(group, on_loop(place), w, told);
      if (round % 2 == 0) static_cast<void>(place.pump(1));
    }
    CHECK(tracked::alive == 0);
    CHECK(w->wrong == 0);
  }
}

TEST_CASE("loop: a scope waits for members on several loops of its thread, and in an engine without workers",
          "[law5][law11]") {
  TACT_FOR_EACH_THREAD_COUNT(workers);
  const nothing_left left;
  for (int round = 0; round < scaled(60); ++round) {
    const auto w = std::make_shared<window>();
    std::atomic<int> told{0};
    engine e(quiet_options(workers));
    engine other(quiet_options(workers));
    engine pumped(quiet_options(0));
    tact::loop first(e, [] {});
    tact::loop second(e, [] {});
    tact::loop third(other, [] {});
    {
      scope all(e);
      scope of_other(other, all);
      scope of_pumped(pumped, all);
      fill(all, on_loop(first), w, told);
      fill(all, on_loop(second), w, told);
      fill(of_other, on_loop(third), w, told);
      const auto informed = of_other.create(inform(), on_loop(third));
      for (int i = 0; i < 3; ++i) of_pumped.create(wonder(informed, told)) | touch{};
    }
    CHECK(tracked::alive == 0);
    CHECK(w->wrong == 0);
  }
}

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
        for (int i = 0; i < painters; ++i) e.send(e.create(paint(w, on_loop(place), refused)), draw{});
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
      e->send(e->create(paint(w, on_loop(place), refused)), draw{});
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
