// Which thread of a model goes on, and how far in virtual time. docs/protocols/model.md.
#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <utility>

#include "base/random.hpp"
#include "tact/model.hpp"
#include "tools/modelled/machine.hpp"
#include "tools/modelled/memory.hpp"
#include "tools/modelled/processing_units.hpp"
#include "tools/modelled/ready_queue.hpp"
#include "tools/modelled/running.hpp"
#include "tools/modelled/thread_record.hpp"
#include "tools/modelled/timeline.hpp"

namespace tact::modelled {

//   ready --sleep--> asleep --wake, deadline--> ready, or queued for its processing unit --> ready
//     |                                           ^
//     +--- its slice is over, others wait --------+
//     +--- its function returns --> ended
//
// The thread that is least far in virtual time goes on, until it is farther than the next one. Thread safety: the real
// thread. Invariants: (1) one thread runs, and it is ready; (2) a processing unit has at most one ready thread; (3) no
// thread is farther than the least far one by more than `lead` and its last step; (4) threads change only in
// `run_next`.
class scheduler {
 public:
  scheduler(const machine& on, memory& reached, const model_options& options);

  // -- threads begin and end
  // The thread gets the next number.
  thread_record& add(std::unique_ptr<thread_record> t) { return *threads_.emplace_back(std::move(t)); }
  // The first step of the program begins.
  void begin(thread_record& program) noexcept;
  // A thread that was added is ready, or queued.
  void place(thread_record& t) noexcept;
  // The function of the running thread has returned.
  void note_end() noexcept;
  // Others go on, for good. REQUIRES: its end was noted.
  [[noreturn]] void leave() noexcept;

  // -- by the running thread
  // Another thread goes on, if one is less far.
  void pass() noexcept;
  void pass_if_far() noexcept {
    if (here.now > here.horizon) pass();
  }
  // False: the deadline has passed.
  bool sleep(const void* at, picoseconds until) noexcept;
  void wake(const void* at, int threads) noexcept;
  // REQUIRES: that thread sleeps.
  void wake_thread(unsigned thread) noexcept;
  void seat(const unsigned* processing_unit) noexcept;
  [[noreturn]] void give_up(const char* why) const noexcept;

  // -- what is counted
  [[nodiscard]] const thread_list& threads() const noexcept { return threads_; }
  [[nodiscard]] unsigned running_thread() const noexcept { return running_; }
  [[nodiscard]] modelled::timeline& timeline() noexcept { return timeline_; }
  // How often a thread has woken another one.
  [[nodiscard]] std::uint64_t wakes() const noexcept { return wakes_; }
  // How long all threads together had a processing unit.
  [[nodiscard]] picoseconds busy() const noexcept;
  // The timeline knows of all that was until now.
  void bring_timeline_up_to_date();

 private:
  // How far a thread may get ahead of another one.
  static constexpr picoseconds lead = 30'000;
  static constexpr unsigned nobody = processing_units::nobody;

  [[nodiscard]] thread_record& running() noexcept { return *threads_[running_]; }
  void run_next() noexcept;
  void go_to(thread_record& next) noexcept;
  void begin_step(thread_record& t) noexcept;
  void fall_asleep(const void* at, picoseconds until) noexcept;
  void rouse(thread_record& t, picoseconds at, woken w) noexcept;
  [[nodiscard]] picoseconds time_to_wake(const thread_record& t, picoseconds at) noexcept;
  void make_ready(thread_record& t, picoseconds at) noexcept;
  void occupy_unit(thread_record& t, picoseconds at) noexcept;
  void leave_unit(const thread_record& t) noexcept;
  void share_unit() noexcept;
  [[nodiscard]] picoseconds first_deadline() const noexcept {
    return deadlines_.empty() ? never : deadlines_.begin()->first;
  }
  void note_busy(thread_record& t);

  const model_costs& costs_;
  const picoseconds time_max_;
  memory& memory_;
  base::random chances_;
  thread_list threads_;
  unsigned running_ = 0;
  processing_units units_;
  ready_queue ready_;  // the running thread is not in it
  std::set<std::pair<picoseconds, unsigned>> deadlines_;
  std::uint64_t asleep_as_ = 0;
  std::uint64_t wakes_ = 0;
  modelled::timeline timeline_;
};

}  // namespace tact::modelled
