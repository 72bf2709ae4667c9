// What the engine asks of the operating system: time, sleep, threads. A simulation may stand in its place.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace tact::sync {

using time_point = std::chrono::steady_clock::time_point;

// Deadline of a sleep; nullopt sleeps until woken.
using deadline = std::optional<time_point>;

// The events that a simulation is told of, for its trace.
enum class event : unsigned char { sent, handling, put_aside, committed, collided, failed, forwarded, dead };

// Stands in for the operating system on the threads that it simulates. All of these run on one real thread, one at a
// time, and the turn passes from one to another only within the calls below. Thread safety: that real thread.
class system {
 public:
  // The simulation that the calling thread is a part of; null: the thread belongs to the real operating system.
  [[nodiscard]] static system* current() noexcept { return current_; }

  // -- in place of the operating system
  [[nodiscard]] virtual time_point now() noexcept = 0;
  // Time for measurements, which decide only how the engine works, never when a wait is over.
  [[nodiscard]] virtual time_point stopwatch() noexcept = 0;
  virtual void give_way() noexcept = 0;
  // Sleeps until woken. False: the deadline passed; or there is none, and no thread is left that could wake the caller.
  [[nodiscard]] virtual bool sleep(const void* at, deadline until) noexcept = 0;
  virtual void wake(const void* at, int threads) noexcept = 0;
  virtual unsigned start(const std::string& name, std::function<void()> body) = 0;  // returns the number of the thread
  virtual void join(unsigned thread) noexcept = 0;
  // The number of the thread that runs; 0 is the program.
  [[nodiscard]] virtual unsigned this_thread() const noexcept = 0;

  // -- what only a simulation does
  // A point at which another thread may go first. None does while a mutex is held.
  virtual void may_switch() noexcept = 0;
  virtual void note(event what, std::uint64_t actor, std::string_view name, std::string_view message) noexcept = 0;
  // Why all waits are over although what they wait for has not come; empty: they are not over.
  [[nodiscard]] virtual std::string_view why_in_vain() const noexcept = 0;
  virtual void say(std::string_view line) noexcept = 0;
  // Called when a handler has returned or is about to wait. Throws the exception that a test has planted there.
  virtual void after_handler() = 0;
  // How many of the failures that a test has planted have happened: exceptions thrown, memory refused.
  [[nodiscard]] virtual unsigned planted_failures() const noexcept = 0;
  // The number of the actor, which stays the same. Actors are numbered from 1, in the order in which they are met.
  [[nodiscard]] virtual unsigned number_of(std::uint64_t actor) noexcept = 0;

  // Mutexes held by the thread that runs.
  int held = 0;

 protected:
  system() = default;
  ~system() = default;
  system(const system&) = delete;
  system& operator=(const system&) = delete;
  static void enter(system* s) noexcept { current_ = s; }

 private:
  [[gnu::tls_model("initial-exec")]] static constinit thread_local system* current_;
};

inline void may_switch() noexcept {
  if (system* const s = system::current()) [[unlikely]]
    s->may_switch();
}

// True in a simulation that cannot go on: all waits are over there, although what they wait for has not come.
[[nodiscard]] inline bool waits_in_vain() noexcept {
  system* const s = system::current();
  return s != nullptr && !s->why_in_vain().empty();
}

// How often a spin loop looks: `real` times; not at all in a simulation, where nothing changes while a thread has its
// turn.
[[nodiscard]] inline int rounds_of_spin(int real) noexcept { return system::current() == nullptr ? real : 0; }

// The time that deadlines are compared with; virtual in a simulation.
struct clock {
  using duration = std::chrono::steady_clock::duration;
  using time_point = sync::time_point;
  [[nodiscard]] static time_point now() noexcept {
    system* const s = system::current();
    return s == nullptr ? std::chrono::steady_clock::now() : s->now();
  }
};

// How much of a processor the calling thread has had.
struct processor_use {
  time_point at;  // when this was read
  std::chrono::steady_clock::duration time{};
  long waits = 0;  // how often the thread itself gave the processor up
  [[nodiscard]] static processor_use read(time_point now) noexcept;
};

// The clock that measures how long something took.
struct stopwatch {
  using duration = std::chrono::steady_clock::duration;
  using time_point = sync::time_point;
  using use = processor_use;
  [[nodiscard]] static time_point now() noexcept {
    system* const s = system::current();
    return s == nullptr ? std::chrono::steady_clock::now() : s->stopwatch();
  }
};

}  // namespace tact::sync
