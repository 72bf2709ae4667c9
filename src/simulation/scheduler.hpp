// Runs the threads of one scenario as fibers on one thread, one operation at a time, in an order given by a seed.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "fiber/fiber.hpp"
#include "simulation/random.hpp"
#include "simulation/trace.hpp"
#include "sync/fault.hpp"

namespace tact::simulation {

// The memory of one simulated atomic.
struct cell {
  std::uint64_t bits = 0;
};

inline constexpr unsigned threads_max = 32;

// How one schedule ended.
struct outcome {
  const char* failure = nullptr;  // null: no failure
  std::uint64_t steps = 0;
};

// Schedules are of three kinds, as the seed says: `uniform` gives every step to any thread, `sticky` lets one run on
// for a while, `priority` (PCT) runs the thread of the highest priority and lowers it at a few random points. The seed
// also says how long stores stay in their buffers and whether there are spurious wake-ups and failures.
//
// A schedule that fails is given up where it stands: its threads are not unwound. Hence a thread of a scenario keeps no
// memory of its own across an operation of the policy; the scenario does.
class scheduler {
 public:
  explicit scheduler(std::uint64_t step_limit);
  ~scheduler();

  // Runs `thread(i)` for every i < thread_count to the end, or to the first failure.
  outcome run(std::uint64_t seed, unsigned thread_count, const std::function<void(unsigned)>& thread);

  // The last operations of the last schedule.
  [[nodiscard]] std::string last_operations() const { return trace_.text(); }

  // The thread that runs now; for scenarios that watch who does what.
  [[nodiscard]] unsigned running_thread() const noexcept { return running_; }
  // The scheduler whose thread runs now; null outside the threads of a scenario.
  [[nodiscard]] static scheduler* current() noexcept { return current_; }

  // -- for the simulated policy, called by a thread of the scenario
  void step() noexcept;                                                  // any other thread may go first
  void give_way() noexcept;                                              // any other thread goes first
  [[nodiscard]] bool sleep(const void* at, bool may_time_out) noexcept;  // false: timed out
  void wake(const void* at, unsigned threads) noexcept;
  [[nodiscard]] std::uint64_t read(const cell&) const noexcept;  // own buffer first
  void write_later(cell&, std::uint64_t bits) noexcept;
  void drain() noexcept;  // empties the running thread's store buffer
  [[nodiscard]] bool fails_spuriously() noexcept;
  // For the trace: what the running thread has just done.
  void note(const char* what, const void* at, std::uint64_t value) noexcept { trace_.add(running_, what, at, value); }
  [[noreturn]] void fail(const char* text) noexcept;  // ends this schedule

 private:
  enum class kind : unsigned char { uniform, sticky, priority };
  enum class phase : unsigned char { fresh, runnable, asleep, finished };

  struct buffered_store {
    cell* target;
    std::uint64_t bits;
  };

  struct thread_record {
    std::optional<fiber::fiber> fiber;
    scheduler* owner = nullptr;
    unsigned index = 0;
    phase now = phase::fresh;
    const void* asleep_at = nullptr;
    bool may_time_out = false;
    bool timed_out = false;
    std::int64_t priority = 0;
    std::uint32_t oldest = 0;  // stores [oldest, newest) modulo the capacity are buffered
    std::uint32_t newest = 0;
    std::array<buffered_store, 16> stores{};
  };

  using thread_set = std::uint32_t;

  static void thread_main(void* record);
  void prepare(std::uint64_t seed, unsigned thread_count);
  void go_to(thread_record& from, thread_record* next) noexcept;  // null: back to run
  [[nodiscard]] thread_record* choose(bool not_the_running) noexcept;
  [[nodiscard]] unsigned choose_among(thread_set) noexcept;
  [[nodiscard]] unsigned highest_among(thread_set) const noexcept;
  [[nodiscard]] unsigned any_of(thread_set) noexcept;
  void let_things_happen() noexcept;
  void lower_running() noexcept;
  void make_runnable(thread_record&) noexcept;
  void time_one_out(thread_set) noexcept;
  void drain_one(thread_record&) noexcept;
  [[nodiscard]] thread_record& running() noexcept { return *threads_[running_]; }
  [[nodiscard]] const thread_record& running() const noexcept { return *threads_[running_]; }

  static inline scheduler* current_ = nullptr;

  const std::uint64_t step_limit_;
  fiber::stack_pool stacks_;
  std::vector<std::unique_ptr<thread_record>> threads_;
  std::optional<fiber::fiber> home_;

  // Below: one schedule.
  const std::function<void(unsigned)>* body_ = nullptr;
  unsigned thread_count_ = 0;
  unsigned running_ = 0;
  unsigned steps_in_a_row_ = 0;
  thread_set runnable_ = 0;
  thread_set timed_ = 0;  // asleep with a deadline
  thread_set asleep_ = 0;
  thread_set buffering_ = 0;  // with stores in their buffers
  outcome outcome_;
  trace trace_;
  random random_{0};
  kind kind_ = kind::uniform;
  std::uint32_t drain_odds_ = 1;  // each of these: one in so many
  std::uint32_t change_odds_ = 1;
  std::uint32_t spurious_odds_ = 0;  // 0: never
  std::int64_t lowest_priority_ = 0;
};

}  // namespace tact::simulation
