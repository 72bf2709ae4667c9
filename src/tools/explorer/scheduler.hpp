// Runs the threads of one scenario as fibers on one thread, one operation at a time, in an order that a chooser
// decides.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "fiber/fiber.hpp"
#include "tools/explorer/chooser.hpp"
#include "tools/explorer/schedule.hpp"
#include "tools/explorer/thread_set.hpp"
#include "tools/explorer/trace.hpp"

namespace tact::explorer {

// The memory of one simulated atomic.
struct cell {
  std::uint64_t bits = 0;
};

// How one schedule ended.
struct outcome {
  const char* failure = nullptr;  // null: no failure
  std::uint64_t steps = 0;
};

// Where the decisions and the operations of a schedule are recorded; null: nowhere.
struct recorders {
  schedule* decisions = nullptr;
  trace* operations = nullptr;
};

// What ends a sleep beside a wake-up.
enum class sleep_limit : unsigned char { none, deadline };

// A schedule that fails is given up where it stands: its threads are not unwound. So a thread of a scenario must not
// own memory across an operation of the policy; the scenario owns it.
class scheduler {
 public:
  explicit scheduler(std::uint64_t step_limit);
  ~scheduler();

  // Runs `thread(i)` for every i < thread_count to the end, or to the first failure.
  outcome run(chooser&, unsigned thread_count, const std::function<void(unsigned)>& thread, recorders = {});

  // The thread that runs now; for scenarios that record which thread does what.
  [[nodiscard]] unsigned running_thread() const noexcept { return running_; }
  // The scheduler whose thread runs now; null outside the threads of a scenario.
  [[nodiscard]] static scheduler* current() noexcept { return current_; }

  // -- for the chooser
  [[nodiscard]] thread_set runnable() const noexcept { return runnable_; }
  [[nodiscard]] thread_set asleep() const noexcept { return asleep_; }
  [[nodiscard]] thread_set timed() const noexcept { return timed_; }          // asleep with a deadline
  [[nodiscard]] thread_set buffering() const noexcept { return buffering_; }  // with stores in their buffers
  void let_out(unsigned thread) noexcept;                                     // its oldest store
  void time_out(unsigned thread) noexcept;
  void rouse(unsigned thread) noexcept;

  // -- for the simulated policy, called by a thread of the scenario
  void step() noexcept;                                            // any other thread may go first
  void give_way() noexcept;                                        // any other thread goes first
  [[nodiscard]] bool sleep(const void* at, sleep_limit) noexcept;  // false: timed out
  void wake(const void* at, unsigned threads) noexcept;
  [[nodiscard]] std::uint64_t read(const cell&) const noexcept;  // own buffer first
  void write(cell&, std::uint64_t bits) noexcept;                // may stay in the buffer
  void drain() noexcept;                                         // empties the running thread's store buffer
  void drain_all() noexcept;                                     // those of all threads
  [[nodiscard]] bool fails_spuriously() noexcept;
  // For the trace: what the running thread has just done.
  template <class... Values>
  void note(const char* what, const void* at, Values... values) noexcept {
    note_of(running_, what, at, values...);
  }
  [[noreturn]] void fail(const char* text) noexcept;  // ends this schedule

 private:
  enum class phase : unsigned char { fresh, begun, runnable, asleep, finished };  // begun: no operation yet

  enum class stays : unsigned char { if_chosen, if_alone };  // when does the running thread go on?

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
    bool timed_out = false;
    std::uint32_t oldest = 0;  // stores [oldest, newest) modulo the capacity are buffered
    std::uint32_t newest = 0;
    std::array<buffered_store, 16> stores{};
  };

  static void thread_main(void* record);
  void prepare(unsigned thread_count);
  void go_to(thread_record& from, thread_record* next) noexcept;  // null: returns to run
  [[nodiscard]] thread_record* choose(stays) noexcept;
  void record_run(unsigned chosen, schedule::change) noexcept;
  void record(decision::kind what, unsigned thread) noexcept {
    if (recorders_.decisions != nullptr) recorders_.decisions->add(what, thread);
  }
  template <class... Values>
  void note_of(unsigned thread, const char* what, const void* at, Values... values) noexcept {
    if (recorders_.operations != nullptr) recorders_.operations->add(thread, what, at, values...);
  }
  void make_runnable(thread_record&) noexcept;
  void drain_one(thread_record&) noexcept;
  [[nodiscard]] thread_record& running() noexcept { return *threads_[running_]; }
  [[nodiscard]] const thread_record& running() const noexcept { return *threads_[running_]; }

  static inline scheduler* current_ = nullptr;

  const std::uint64_t step_limit_;
  fiber::stack_pool stacks_;
  std::vector<std::unique_ptr<thread_record>> threads_;
  std::optional<fiber::fiber> home_;

  // Below: the state of one schedule.
  chooser* chooser_ = nullptr;
  recorders recorders_;
  const std::function<void(unsigned)>* body_ = nullptr;
  unsigned thread_count_ = 0;
  unsigned running_ = 0;
  unsigned steps_in_a_row_ = 0;
  thread_set runnable_ = 0;
  thread_set timed_ = 0;
  thread_set asleep_ = 0;
  thread_set buffering_ = 0;
  outcome outcome_;
};

}  // namespace tact::explorer
