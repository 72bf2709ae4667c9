// What engine tests share: silent engines, sizes that fit the build, instance counts, and the check that nothing is
// left.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

#include "base/sanitized.hpp"
#include "support/catch.hpp"
#include "support/dice.hpp"
#include "support/seed.hpp"
#include "support/workers.hpp"
#include "tact/tact.hpp"

namespace tact::support {

inline constexpr bool sanitized = base::under_asan || base::under_tsan;

// How often to do something: a third of what the test says, a tenth under the sanitizers; TACT_EFFORT says how many per
// cent instead.
inline int scaled(int times) {
  static const auto per_cent = static_cast<long>(count_from_environment("TACT_EFFORT", sanitized ? 10 : 33));
  return static_cast<int>(std::max(1L, times * per_cent / 100));
}

// A wait that only a fault lets pass.
inline constexpr std::chrono::seconds generous{60};

inline engine_options quiet_options(unsigned workers) {
  engine_options o;
  o.workers = workers;
  o.on_failure = [](const failure_report&) {};
  return o;
}

// Everything that was accepted is accounted for. REQUIRES: no thread sends.
inline void require_accounted(const engine& e) {
  const statistics s = e.statistics();
  INFO(s);
  REQUIRE(s.in_flight() == 0);
  REQUIRE(s.messages_sent == s.commits + s.failures + s.dead_letters);
}

// Waits until nothing is in flight; a hang is a failure that names what runs.
inline void require_idle(engine& e) {
  const bool idle = e.wait_idle(generous);
  INFO(e.still_running());
  REQUIRE(idle);
  require_accounted(e);
}

// Counts its instances.
struct tracked {
  tracked() noexcept { ++alive; }
  tracked(const tracked&) noexcept { ++alive; }
  tracked& operator=(const tracked&) noexcept = default;
  ~tracked() { --alive; }

  static inline std::atomic<long> alive{0};
};

// Stands before the engine: when both are gone no tracked object is left.
class nothing_left {
 public:
  nothing_left() { REQUIRE(tracked::alive == 0); }
  nothing_left(const nothing_left&) = delete;
  nothing_left& operator=(const nothing_left&) = delete;
  ~nothing_left() { CHECK(tracked::alive == 0); }
};

// A door that a test opens, at which handlers wait; no handler waits for ever.
class door {
 public:
  void open() {
    const std::lock_guard lock(mutex_);
    open_ = true;
    opened_.notify_all();
  }
  // False: it stayed shut.
  bool pass() {
    std::unique_lock lock(mutex_);
    return opened_.wait_for(lock, generous, [&] { return open_; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable opened_;
  bool open_ = false;
};

// Where so many threads meet; all go on when the last has come. Once a thread has waited in vain, no thread waits any
// more.
class meeting {
 public:
  explicit meeting(unsigned parties) : missing_(parties) {}
  // False: the others did not come.
  bool join(std::chrono::milliseconds limit = generous) {
    std::unique_lock lock(mutex_);
    if (missing_ != 0 && --missing_ == 0) complete_.notify_all();
    if (!failed_ && !complete_.wait_for(lock, limit, [&] { return missing_ == 0; })) failed_ = true;
    return !failed_;
  }
  // All came in time.
  [[nodiscard]] bool complete() {
    const std::lock_guard lock(mutex_);
    return missing_ == 0 && !failed_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable complete_;
  unsigned missing_;
  bool failed_ = false;
};

// Runs f(0) to f(count - 1) on a thread each, and waits for them.
template <class F>
void on_threads(unsigned count, F f) {
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < count; ++i) threads.emplace_back([&f, i] { f(i); });
  for (std::thread& t : threads) t.join();
}

}  // namespace tact::support

// Runs the rest of the test case once for each number of workers.
#define TACT_FOR_EACH_WORKER_COUNT(name)                                                                      \
  const unsigned name =                                                                                       \
      GENERATE(from_range(::tact::support::worker_counts().begin(), ::tact::support::worker_counts().end())); \
  INFO(#name "=" << name)
// The same with one worker at least.
#define TACT_FOR_EACH_THREAD_COUNT(name)                                                                      \
  const unsigned name =                                                                                       \
      GENERATE(from_range(::tact::support::thread_counts().begin(), ::tact::support::thread_counts().end())); \
  INFO(#name "=" << name)
