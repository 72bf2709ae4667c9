// What the engine asks of the operating system, where a simulation may stand in its place: time, sleep, threads.
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

// What a simulation is told, for its trace.
enum class event : unsigned char { sent, handling, put_aside, committed, collided, failed, forwarded, dead };

// Stands in for the operating system on the threads that it simulates; all of them run on one real thread, one at a
// time, and change only within the calls below. Thread safety: that real thread.
class system {
 public:
  // The one of which the calling thread is a part; null: there is only the real one.
  [[nodiscard]] static system* current() noexcept { return current_; }

  // -- in place of the real one
  [[nodiscard]] virtual time_point now() noexcept = 0;
  // Also time, but what is measured with it decides only how the engine works, not when a wait is over.
  [[nodiscard]] virtual time_point stopwatch() noexcept = 0;
  virtual void give_way() noexcept = 0;
  // Sleeps until woken. False: the deadline passed; or there is none, and nobody is left to wake the caller.
  [[nodiscard]] virtual bool sleep(const void* at, deadline until) noexcept = 0;
  virtual void wake(const void* at, int threads) noexcept = 0;
  virtual unsigned start(const std::string& name, std::function<void()> body) = 0;  // returns its number
  virtual void join(unsigned thread) noexcept = 0;
  // The number of the thread that runs; 0 is the program.
  [[nodiscard]] virtual unsigned this_thread() const noexcept = 0;

  // -- beside that
  // Another thread may go first. It does not while a mutex is held.
  virtual void may_switch() noexcept = 0;
  virtual void note(event what, std::uint64_t actor, std::string_view name, std::string_view message) noexcept = 0;
  // Why waits are over that have not got what they waited for; empty: they are not.
  [[nodiscard]] virtual std::string_view why_in_vain() const noexcept = 0;
  virtual void say(std::string_view line) noexcept = 0;
  // A handler has returned, or is about to wait; throws what a test wants it to throw.
  virtual void after_handler() = 0;
  // What a test wanted to fail, and did, by that or for want of memory.
  [[nodiscard]] virtual unsigned planted_failures() const noexcept = 0;
  // The same for the same actor, from 1, in the order in which they are met.
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

// Waits are over that have not got what they waited for: in a simulation that cannot go on.
[[nodiscard]] inline bool waits_in_vain() noexcept {
  system* const s = system::current();
  return s != nullptr && !s->why_in_vain().empty();
}

// Nobody spins in a simulation: there nothing comes while a thread has its turn.
[[nodiscard]] inline int rounds_of_spin(int real) noexcept { return system::current() == nullptr ? real : 0; }

// The time by which waits are over; virtual in a simulation.
struct clock {
  using duration = std::chrono::steady_clock::duration;
  using time_point = sync::time_point;
  [[nodiscard]] static time_point now() noexcept {
    system* const s = system::current();
    return s == nullptr ? std::chrono::steady_clock::now() : s->now();
  }
};

// What the calling thread has had of a processor.
struct processor_use {
  time_point at;  // when this was read
  std::chrono::steady_clock::duration time{};
  long waits = 0;  // that it began itself
  [[nodiscard]] static processor_use read(time_point now) noexcept;
};

// How long something took.
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
