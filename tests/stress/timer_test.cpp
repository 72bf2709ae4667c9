// Timers on real threads: each fires once or is cancelled, nothing delays the service, and nothing piles up.
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "support/engine_fixture.hpp"
#include "support/resident.hpp"

namespace timer_test {

namespace {

using namespace tact::support;
using namespace std::chrono_literals;
using clock = std::chrono::steady_clock;

struct shot {
  unsigned number;
  tracked kept{};
};
struct target : tact::protocol<shot> {};

// How often which one has come.
struct hits {
  explicit hits(unsigned count) : of(count) {}
  std::vector<std::atomic<unsigned>> of;
  [[nodiscard]] std::uint64_t all() const {
    std::uint64_t sum = 0;
    for (const auto& one : of) sum += one.load();
    return sum;
  }
};
tact::behavior<target> open_target(hits& seen) {
  return [&seen](auto&, const shot& m) { seen.of[m.number].fetch_add(1); };
}

// Sets some timers, and sends the handles of some to itself to cancel them.
struct salvo {
  unsigned first;
  unsigned count;
  std::uint64_t seed;
};
struct recall {
  tact::timer one;
};
struct gunner : tact::protocol<salvo, recall> {};
tact::behavior<gunner> open_gunner(tact::ref<target> at) {
  return {[=](tact::self<gunner>& self, const salvo& m) {
            dice d(m.seed);
            for (unsigned i = 0; i < m.count; ++i) {
              const auto t = self.send_after(std::chrono::microseconds(d.below(3000)), at, shot{m.first + i});
              if (d.one_in(3)) self.send(self.ref(), recall{t});
            }
            if (d.one_in(4)) throw std::runtime_error("missed");
          },
          [](tact::self<gunner>&, const recall& m) { m.one.cancel(); }};
}

void wait_until_none_is_armed(const tact::engine& engine) {
  const auto limit = clock::now() + generous;
  while (engine.statistics().timers_armed != 0 && clock::now() < limit) std::this_thread::yield();
  REQUIRE(engine.statistics().timers_armed == 0);
}

std::size_t threads_of_this_process() {
  using iterator = std::filesystem::directory_iterator;
  return static_cast<std::size_t>(std::distance(iterator("/proc/self/task"), iterator()));
}

// For how long a thread means to run at a time, as far as it or the system has said so. None: the thread has ended. 0:
// the system knows no such wish.
std::optional<std::uint64_t> turn_ns_of(int thread) {
  struct {
    std::uint32_t size = 48, policy = 0;
    std::uint64_t flags = 0;
    std::int32_t nice = 0;
    std::uint32_t priority = 0;
    std::uint64_t turn_ns = 0, deadline_ns = 0, period_ns = 0;
  } told;  // the beginning of the kernel's sched_attr
  return ::syscall(SYS_sched_getattr, thread, &told, sizeof told, 0) == 0 ? std::optional(told.turn_ns) : std::nullopt;
}

}  // namespace

TEST_CASE("timer: each of many, set and cancelled by handlers and threads, fires once or was cancelled", "[law4]") {
  TACT_FOR_EACH_THREAD_COUNT(workers);
  TACT_SEEDED(seed);
  const nothing_left left;
  constexpr unsigned threads = 3, salvos = 40, each = 10;
  const unsigned between = std::max(1U, static_cast<unsigned>(scaled(2000)) / salvos);
  const unsigned own = salvos * between;
  hits seen(threads * own + salvos * each);
  std::vector<char> cancelled(threads * own);
  {
    tact::engine engine(quiet_options(workers));
    const auto at = engine.create(open_target(seen), tact::parallel);
    const auto g = engine.create(open_gunner(at), tact::parallel);
    on_threads(threads, [&](unsigned thread) {
      dice d(seed + thread);
      std::vector<std::pair<unsigned, tact::timer>> open;
      for (unsigned i = 0; i < own; ++i) {
        const unsigned number = thread * own + i;
        const tact::timer t = engine.send_after(std::chrono::microseconds(d.below(2000)), at, shot{number});
        if (d.one_in(2)) open.emplace_back(number, t);
        if (open.size() > 20) {
          const auto [n, early] = open[d.below(20)];
          if (early.cancel()) cancelled[n] = 1;
        }
        if (thread == 0 && i % between == 0) {
          engine.send(g, salvo{threads * own + i / between * each, each, d.next()});
        }
      }
      for (const auto& [n, t] : open) {
        if (t.cancel()) cancelled[n] = 1;
      }
    });
    engine.wait_idle();
    wait_until_none_is_armed(engine);
    require_idle(engine);
    const tact::statistics s = engine.statistics();
    CHECK(s.timers_fired == seen.all());
    CHECK(s.timers_dropped == 0);
    for (unsigned n = 0; n < threads * own; ++n) REQUIRE(seen.of[n] == (cancelled[n] != 0 ? 0 : 1));
    for (const auto& one : seen.of) REQUIRE(one <= 1);
    CHECK(s.timers_cancelled >= static_cast<std::uint64_t>(std::count(cancelled.begin(), cancelled.end(), 1)));
  }
}

TEST_CASE("timer: what is set while the engine ends is fired or dropped, and accounted for", "[law11]") {
  TACT_FOR_EACH_THREAD_COUNT(workers);
  const nothing_left left;
  for (int round = 0; round < scaled(10); ++round) {
    hits seen(1);
    std::atomic<std::uint64_t> set{0};
    std::atomic<std::uint64_t> cancelled{0};
    tact::engine engine(quiet_options(workers));
    const auto at = engine.create(open_target(seen), tact::parallel);
    meeting begin(3);
    on_threads(3, [&](unsigned thread) {
      static_cast<void>(begin.join());
      if (thread == 2) return engine.cancel();
      for (int i = 0; i < 300; ++i, ++set) {
        const tact::timer t = engine.send_after(std::chrono::microseconds(i % 3 * 100), at, shot{0});
        if (i % 4 == 0) cancelled += t.cancel();
      }
    });
    REQUIRE(begin.complete());
    const tact::statistics s = engine.statistics();
    REQUIRE(s.timers_armed == 0);
    REQUIRE(s.timers_cancelled == cancelled);
    REQUIRE(s.timers_fired + s.timers_cancelled + s.timers_dropped == set);
    REQUIRE(tracked::alive == 0);
    require_accounted(engine);
  }
}

TEST_CASE("timer: relative times count from the commit, and none fires early", "[law1]") {
  TACT_FOR_EACH_THREAD_COUNT(workers);
  std::atomic<clock::rep> returned{0};
  std::atomic<int> early{0};
  tact::engine engine(quiet_options(workers));
  const auto at =
      engine.create(tact::behavior<target>{[&](auto&, const shot&) {
                      if (clock::now().time_since_epoch().count() < returned + std::chrono::nanoseconds(2ms).count())
                        ++early;
                    }},
                    tact::parallel);
  struct go {};
  const auto setter = engine.create(tact::behavior<go>{[&](tact::self<go>& self, const go&) {
                                      self.send_after(2ms, at, shot{0});
                                      const auto until = clock::now() + 3ms;
                                      while (clock::now() < until) {
                                      }
                                      returned = clock::now().time_since_epoch().count();
                                    }},
                                    tact::parallel);
  for (int i = 0; i < 3; ++i) {
    engine.send(setter, go{});
    engine.wait_idle();
    wait_until_none_is_armed(engine);
    engine.wait_idle();
  }
  CHECK(early == 0);
}

TEST_CASE("timer: handlers that keep all workers keep no timer", "[law7]") {
  TACT_FOR_EACH_THREAD_COUNT(workers);
  door open;
  std::atomic<unsigned> passed{0};
  struct wait {};
  tact::engine engine(quiet_options(workers));
  const auto opener = engine.create(tact::behavior<target>{[&](auto&, const shot&) { open.open(); }}, tact::blocking);
  const auto waiter =
      engine.create(tact::behavior<wait>{[&](auto&, const wait&) { passed += open.pass(); }}, tact::parallel);
  for (unsigned i = 0; i < workers; ++i) engine.send(waiter, wait{}, tact::spread);
  engine.send_after(5ms, opener, shot{0});
  engine.wait_idle();
  wait_until_none_is_armed(engine);
  engine.wait_idle();
  CHECK(passed == workers);
}

TEST_CASE("timer: among busy processes the thread for timers runs soon when it wakes, where the system can do that",
          "[timer]") {
  const std::uint64_t usual = turn_ns_of(0).value_or(0);
  if (usual <= 100'000) TACT_SKIP("the system knows no wish for short turns, or all threads have it already");
  hits seen(1);
  tact::engine engine(quiet_options(2));
  engine.send_after(0ms, engine.create(open_target(seen)), shot{0});
  wait_until_none_is_armed(engine);
  unsigned services = 0;
  for (const auto& thread : std::filesystem::directory_iterator("/proc/self/task")) {
    std::string name;
    std::getline(std::ifstream(thread.path() / "comm"), name);
    const auto turn_ns = turn_ns_of(std::stoi(thread.path().filename()));
    if (!turn_ns) continue;  // one of an earlier test case, which has just been joined
    const bool is_service = name == "tact-timers";
    services += is_service;
    CAPTURE(name);
    CHECK(*turn_ns == (is_service ? 100'000 : usual));
  }
  CHECK(services == 1);
}

TEST_CASE("timer: what a repeated one missed is made up for by one message", "[timer]") {
  door open;
  std::atomic<bool> kept{false};
  std::atomic<unsigned> rings{0};
  tact::engine_options options = quiet_options(2);
  options.on_dead_letter = [&](const tact::dead_letter&) {
    kept = true;
    open.pass();
  };
  tact::engine engine(options);
  const auto at = engine.create(tact::behavior<target>{[&](auto&, const shot&) { ++rings; }}, tact::parallel);
  const auto gone =
      engine.create(tact::behavior<target>{[](tact::self<target>& self, const shot&) { self.stop(); }}, tact::parallel);
  engine.send(gone, shot{0});
  engine.wait_idle();
  const auto began = clock::now();
  const tact::timer t = engine.send_every(1ms, at, shot{0});
  engine.send_after(5ms, gone, shot{0});  // its dead letter keeps the service
  while (!kept) std::this_thread::yield();
  const auto from = clock::now();
  while (clock::now() < from + 50ms) std::this_thread::yield();
  const auto until = clock::now();
  open.open();
  const unsigned at_least = rings + 2;
  while (rings < at_least) std::this_thread::yield();
  CHECK(t.cancel());
  engine.wait_idle();
  const auto periods = [](auto time) { return static_cast<unsigned>(time / 1ms); };
  CHECK(rings <= periods(clock::now() - began) - periods(until - from) + 2);
}

TEST_CASE("timer: who never sets one has no thread for them", "[timer]") {
  if (!std::filesystem::exists("/proc/self/task")) return;
  hits seen(1);  // the last shot may be handled by the engine's end
  tact::engine engine(quiet_options(2));
  const auto at = engine.create(open_target(seen), tact::parallel);
  engine.send(at, shot{0});
  engine.wait_idle();
  const std::size_t before = threads_of_this_process();
  engine.send_after(0ms, at, shot{0});
  CHECK(threads_of_this_process() == before + 1);
}

TEST_CASE("timer: those that are set and cancelled soon hold the memory of few", "[law10]") {
  TACT_FOR_EACH_THREAD_COUNT(workers);
  const nothing_left left;
  hits seen(1);
  struct go {
    int left;
  };
  tact::engine engine(quiet_options(workers));
  const auto at = engine.create(open_target(seen), tact::parallel);
  tact::timer last;  // of the ordered actor
  const auto setter = engine.create(tact::behavior<go>{[&](tact::self<go>& self, const go& m) {
    last.cancel();
    last = self.send_after(1h, at, shot{0});
    if (m.left > 0) self.send(self.ref(), go{m.left - 1});
  }});
  const int times = scaled(200'000);
  const std::uint64_t before = engine.statistics().bytes_held;
  engine.send(setter, go{times});
  for (int i = 0; i < times; ++i) REQUIRE(engine.send_after(1h, at, shot{0}).cancel());
  engine.wait_idle();
  const tact::statistics s = engine.statistics();
  CHECK(s.timers_armed == 1);
  CHECK(s.timers_cancelled == 2 * static_cast<std::uint64_t>(times));
  CHECK(s.bytes_held < before + 16'000'000);
}

TEST_CASE("timer: many that were set and have fired, round by round, hold no memory when all is quiet", "[law10]") {
  TACT_FOR_EACH_THREAD_COUNT(workers);
  const nothing_left left;
  hits seen(1);
  tact::engine engine(quiet_options(workers));
  const auto at = engine.create(open_target(seen), tact::parallel);
  const int many = scaled(200'000);
  const std::uint64_t held = engine.statistics().bytes_held;
  const std::uint64_t resident = resident_bytes();
  constexpr int rounds = 5;
  for (int round = 0; round < rounds; ++round) {
    for (int i = 0; i < many; ++i) engine.send_after(20ms + 1us * (i % 100'000), at, shot{0});
    wait_until_none_is_armed(engine);
    require_idle(engine);
  }
  CHECK(seen.all() == static_cast<std::uint64_t>(rounds * many));
  // The records of a round alone would be more, but for the MiB that each of two stores keeps by design.
  const std::uint64_t kept = static_cast<std::uint64_t>(many) * 40 + 2 * 1024 * 1024;
  // Workers give memory back after a while of sleep.
  const auto limit = clock::now() + generous;
  while (engine.statistics().bytes_held > held + kept && clock::now() < limit) std::this_thread::yield();
  INFO("held " << held << ", now " << engine.statistics().bytes_held);
  CHECK(engine.statistics().bytes_held <= held + kept);
  if (sanitized) TACT_SKIP("sanitizers keep freed memory aside");
  // And what malloc cannot give back, because of what other tests have left between it.
  constexpr std::uint64_t resident_kept = 24'000'000;
  while (resident_bytes() > resident + resident_kept && clock::now() < limit) std::this_thread::yield();
  INFO("resident " << resident << ", now " << resident_bytes());
  CHECK(resident_bytes() <= resident + resident_kept);
}

TEST_CASE("timer: a handle is harmless when its engine is gone, and for the engines that come after", "[law13]") {
  TACT_FOR_EACH_THREAD_COUNT(workers);
  const nothing_left left;
  std::vector<tact::timer> old;
  struct go {};
  for (int round = 0; round < 3; ++round) {
    hits seen(2);
    tact::engine engine(quiet_options(workers));
    const auto at = engine.create(open_target(seen), tact::parallel);
    const auto h = engine.create(tact::behavior<go>{[&](tact::self<go>&, const go&) {
                                   for (const tact::timer& gone : old) gone.cancel();
                                 }},
                                 tact::parallel);
    const tact::timer t = engine.send_after(1ms, at, shot{0});
    for (const tact::timer& gone : old) CHECK(!gone.cancel());
    engine.send(h, go{});
    wait_until_none_is_armed(engine);
    engine.wait_idle();
    CHECK(seen.of[0] == 1);
    old.push_back(t);
    old.push_back(engine.send_after(1h, at, shot{1}));
    old.push_back(engine.send_every(1h, at, shot{1}));
  }
  for (const tact::timer& gone : old) CHECK(!gone.cancel());
}

}  // namespace timer_test
