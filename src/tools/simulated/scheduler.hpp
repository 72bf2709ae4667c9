// The threads of one simulation, and whose turn it is. docs/protocols/simulation.md.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/random.hpp"
#include "sync/system.hpp"
#include "tact/simulation.hpp"
#include "tools/simulated/thread_record.hpp"
#include "tools/simulated/turn_choice.hpp"
#include "tools/simulated/verdict.hpp"
#include "tools/simulated/virtual_clock.hpp"

namespace tact::simulated {

// Thread 0 is the program, on the stack of the real thread; each other thread is a fiber.
//
//   runnable --sleep--> asleep --wake, deadline--> runnable --body returns--> ended
//      ^                                              |
//      +------- no other can go on ------ resting <---+ the program only
//
// Thread safety: the real thread. Invariants: (1) exactly one thread runs, and it is runnable; (2) turns change in
// `turn` only, and never while the director counts a mutex that is held.
class scheduler {
 public:
  // `chances`: for what is left to chance beside the turns.
  scheduler(const sync::director& of, const schedule& as, base::random& chances);
  // REQUIRES: all threads of engines have ended. Threads of the program that have not are given up where they stand.
  void end() noexcept;

  [[nodiscard]] thread_record& start(const std::string& name, std::function<void()> body);
  void join(unsigned thread) noexcept;
  void join_all() noexcept;

  // -- by the running thread
  [[nodiscard]] bool sleep(const void* at, sync::deadline until) noexcept;
  void wake(const void* at, int threads) noexcept;
  void give_way() noexcept;
  void may_switch() noexcept;

  // -- by the program, which rests until no other thread can go on, or until one has come to its next point. Throws
  // simulation_error when the execution is stuck.
  void rest();
  void rest_for_a_step();
  // Moves the clock to the earliest deadline of all sleepers, and wakes those whose deadline it is. False: no sleeper
  // has a deadline, or the earliest one is later than `at_most`.
  [[nodiscard]] bool pass_time(sync::deadline at_most) noexcept;

  [[nodiscard]] const unsigned& running_thread() const noexcept { return running_; }
  [[nodiscard]] std::string_view running_name() const noexcept { return threads_[running_]->name; }
  [[nodiscard]] bool is_alone() const noexcept { return !turn_choice::any_other(threads_, running_); }
  [[nodiscard]] std::vector<std::string> thread_names() const;
  [[nodiscard]] std::uint64_t switches() const noexcept { return switches_; }
  [[nodiscard]] std::uint64_t points() const noexcept { return points_; }
  [[nodiscard]] const turn_choice& choice() const noexcept { return choice_; }
  [[nodiscard]] virtual_clock& clock() noexcept { return clock_; }
  [[nodiscard]] simulated::verdict& verdict() noexcept { return verdict_; }
  [[nodiscard]] const simulated::verdict& verdict() const noexcept { return verdict_; }

 private:
  static void thread_main(void* record);
  void turn(stays s) noexcept;
  void go_to(unsigned next) noexcept;
  void deadlock() noexcept;
  void is_late() noexcept;
  [[nodiscard]] thread_record& running() noexcept { return *threads_[running_]; }
  [[nodiscard]] thread_record& program() noexcept { return *threads_[0]; }

  const sync::director& director_;
  const std::uint64_t points_max_;
  thread_list threads_;
  unsigned running_ = 0;
  bool stepping_ = false;
  std::uint64_t points_ = 0;
  std::uint64_t switches_ = 0;
  turn_choice choice_;
  base::random& chances_;
  virtual_clock clock_;
  simulated::verdict verdict_;
};

}  // namespace tact::simulated
