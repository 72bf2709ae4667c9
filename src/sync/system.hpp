// What the engine asks of the operating system: time, sleep, threads. A simulation, or a model of another machine, may
// stand in its place.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace tact {
struct statistics;
namespace detail {
struct type_key;
}
}  // namespace tact

namespace tact::sync {

using time_point = std::chrono::steady_clock::time_point;

// Deadline of a sleep; nullopt sleeps until woken.
using deadline = std::optional<time_point>;

// How much of a processor a thread has had.
struct processor_use {
  time_point at;  // when this was read
  std::chrono::steady_clock::duration time{};
  long waits = 0;  // how often the thread itself gave the processor up
  // Reads how much the calling thread has had.
  [[nodiscard]] static processor_use read(time_point now) noexcept;
};

// Stands in for the operating system on the threads that it runs. All of these run on one real thread, one at a time.
// Thread safety: that real thread.
class system {
 public:
  using futex_word = std::atomic<std::uint32_t>;

  // What stands in for the operating system on the calling thread; null: nothing does.
  [[nodiscard]] static system* current() noexcept { return current_; }

  [[nodiscard]] virtual time_point now() noexcept = 0;
  // Time for measurements, which decide only how the engine works, never when a wait is over.
  [[nodiscard]] virtual time_point stopwatch() noexcept = 0;
  [[nodiscard]] virtual processor_use use(time_point now) noexcept = 0;
  virtual void give_way() noexcept = 0;
  // Sleeps until woken. False: the deadline passed; or there is none, and no thread is left that could wake the caller.
  [[nodiscard]] virtual bool sleep(const void* at, deadline until) noexcept = 0;
  // Sleeps if the word has the expected value; else returns true at once. No other thread has a turn between the look
  // at the word and the sleep, as with the kernel's futex.
  [[nodiscard]] virtual bool sleep_if(const futex_word& word, std::uint32_t expected, deadline until) noexcept = 0;
  virtual void wake(const void* at, int threads) noexcept = 0;
  virtual void barrier_for_all() noexcept = 0;
  virtual unsigned start(const std::string& name, std::function<void()> body) = 0;  // returns the number of the thread
  virtual void join(unsigned thread) noexcept = 0;
  // The number of the thread that runs; 0 is the program.
  [[nodiscard]] virtual unsigned this_thread() const noexcept = 0;
  // The machine, in the words of hwloc. Empty: each worker has a core of its own, and nothing depends on the machine.
  [[nodiscard]] virtual std::string_view machine() const noexcept = 0;
  // The running thread stays on that processing unit of the machine; null: it may run on any.
  virtual void seat(const unsigned* processing_unit) noexcept = 0;
  // How many memories (NUMA nodes) the machine has; 0: nothing depends on the machine.
  [[nodiscard]] virtual unsigned memories() const noexcept = 0;
  // The pages of this range, none of which has been touched, lie on these memories in turn.
  virtual void interleave(const void* first, std::size_t bytes) noexcept = 0;
  // An engine of the program ends, and has counted this.
  virtual void hear(const statistics& of_engine) noexcept = 0;

  // Engines of the program whose workers stay on their seats.
  std::atomic<unsigned> engines_pinned{0};

 protected:
  system() = default;
  ~system() = default;
  system(const system&) = delete;
  system& operator=(const system&) = delete;
  static void enter(system* s) noexcept { current_ = s; }

 private:
  [[gnu::tls_model("initial-exec")]] static constinit thread_local system* current_;
};

// The events that a simulation is told of, for its trace.
enum class event : unsigned char { sent, handling, put_aside, committed, collided, failed, forwarded, dead };

// A message of which a line of the trace tells.
struct noted_message {
  std::string_view name;
  const detail::type_key* key = nullptr;  // with the next: what it is, as long as the call lasts; null: it is gone
  const void* message = nullptr;
};

// The system of a simulation. The turn passes from one thread to another only within the calls of `system`, and at the
// points below. Thread safety: the real thread.
class director : public system {
 public:
  // The simulation that the calling thread is a part of; null: there is none.
  [[nodiscard]] static director* current() noexcept { return current_; }

  // A point at which another thread may go first. None does while a mutex is held.
  virtual void may_switch() noexcept = 0;
  virtual void note(event what, std::uint64_t actor, std::string_view name, const noted_message& message) noexcept = 0;
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
  director() = default;
  ~director() = default;
  static void enter(director* d) noexcept {
    system::enter(d);
    current_ = d;
  }

 private:
  [[gnu::tls_model("initial-exec")]] static constinit thread_local director* current_;
};

inline void may_switch() noexcept {
  if (director* const d = director::current()) [[unlikely]]
    d->may_switch();
}

// True in a simulation that cannot go on: all waits are over there, although what they wait for has not come.
[[nodiscard]] inline bool waits_in_vain() noexcept {
  director* const d = director::current();
  return d != nullptr && !d->why_in_vain().empty();
}

// How often a spin loop looks: `real` times; not at all in a simulation, where nothing changes while a thread has its
// turn.
[[nodiscard]] inline int rounds_of_spin(int real) noexcept { return director::current() == nullptr ? real : 0; }

// The time that deadlines are compared with; virtual in a simulation.
struct clock {
  using duration = std::chrono::steady_clock::duration;
  using time_point = sync::time_point;
  [[nodiscard]] static time_point now() noexcept {
    system* const s = system::current();
    return s == nullptr ? std::chrono::steady_clock::now() : s->now();
  }
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
