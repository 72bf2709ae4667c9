// The threads, the clock and the sleepers of one simulation. docs/protocols/simulation.md.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "base/blocks.hpp"
#include "base/random.hpp"
#include "sync/system.hpp"
#include "sync/thread_state.hpp"
#include "tact/simulation.hpp"
#include "tools/simulated/message_contents.hpp"
#include "tools/simulated/planned_failures.hpp"
#include "tools/simulated/story.hpp"
#include "tools/simulated/thread_record.hpp"
#include "tools/simulated/turn_choice.hpp"

namespace tact::simulated {

// Thread 0 is the program, on the stack of the real thread; each other thread is a fiber.
//
//   runnable --sleep--> asleep --wake, deadline--> runnable --body returns--> ended
//      ^                                              |
//      +------- no other can go on ------ resting <---+ the program only, in run, step and advance
//
// Thread safety: the real thread. Invariants: (1) exactly one thread runs, and it is runnable; (2) turns change in
// `turn` only, and never while a mutex is held; (3) what is left to chance beside the turns comes from the seed, by a
// generator of its own, so that a schedule in full meets the same events.
class world final : public sync::director, public base::allocation_watch {
 public:
  explicit world(const schedule& as);
  // REQUIRES: no engine is left in it. Threads of the program that have not ended are given up where they stand.
  ~world();
  // As start, but for a thread of the program itself.
  unsigned start_beside(const std::string& name, std::function<void()> body);

  // -- for the program
  void run();
  bool step();
  void advance(sync::clock::duration time);
  // For each thread of the program. Throws usage_error on a thread of an engine.
  void sleep_for(sync::clock::duration time);
  [[nodiscard]] message_contents& contents() noexcept { return contents_; }
  [[nodiscard]] std::uint64_t switches() const noexcept { return switches_; }
  [[nodiscard]] std::uint64_t points() const noexcept { return points_; }
  [[nodiscard]] sync::clock::duration elapsed() const noexcept { return now_ - beginning; }
  [[nodiscard]] const turn_choice& choice() const noexcept { return choice_; }
  [[nodiscard]] std::string trace() const;
  void fail(std::string_view text);
  [[nodiscard]] const std::string& failure() const noexcept { return failure_; }
  [[nodiscard]] planned_failures& planned() noexcept { return planned_; }

  // -- sync::director
  [[nodiscard]] sync::time_point now() noexcept override { return now_; }
  [[nodiscard]] sync::time_point stopwatch() noexcept override;
  // A thread never loses its processor.
  [[nodiscard]] sync::processor_use use(sync::time_point now) noexcept override {
    return {now, now.time_since_epoch(), 0};
  }
  void give_way() noexcept override;
  [[nodiscard]] bool sleep(const void* at, sync::deadline until) noexcept override;
  [[nodiscard]] bool sleep_if(const futex_word& word, std::uint32_t expected, sync::deadline until) noexcept override;
  void wake(const void* at, int threads) noexcept override;
  void barrier_for_all() noexcept override {}
  unsigned start(const std::string& name, std::function<void()> body) override;
  void join(unsigned thread) noexcept override;
  void join_all() noexcept;
  [[nodiscard]] unsigned this_thread() const noexcept override { return running_; }
  [[nodiscard]] std::string_view machine() const noexcept override { return {}; }
  void seat(const unsigned*) noexcept override {}
  [[nodiscard]] unsigned memories() const noexcept override { return 0; }
  void interleave(const void*, std::size_t) noexcept override {}
  void hear(const statistics&) noexcept override {}
  void may_switch() noexcept override;
  void note(sync::event what, std::uint64_t actor, std::string_view name,
            const sync::noted_message& message) noexcept override;
  void say(std::string_view line) noexcept override { story_.say(running_, line); }
  void after_handler() override { planned_.after_handler(); }
  [[nodiscard]] unsigned planted_failures() const noexcept override { return planned_.count(); }
  [[nodiscard]] std::string_view why_in_vain() const noexcept override { return stuck_; }
  [[nodiscard]] unsigned number_of(std::uint64_t actor) noexcept override;

  // -- base::allocation_watch
  [[nodiscard]] bool permits_allocation() noexcept override { return planned_.permits_allocation(); }

 private:
  static constexpr sync::time_point beginning{std::chrono::hours(1)};
  // A day before the last moment of the clock, so that a short time can be added to any moment. A thread that sleeps
  // until then or later sleeps without a deadline.
  static constexpr sync::time_point end_of_time = sync::time_point::max() - std::chrono::hours(24);

  static void thread_main(void* record);
  void turn(stays s) noexcept;
  void deadlock() noexcept;
  [[nodiscard]] bool pass_time(sync::deadline at_most) noexcept;
  void is_late() noexcept;
  void refuse_inside(const char* call) const;  // throws usage_error
  void rest();
  void go_to(unsigned next) noexcept;
  [[nodiscard]] thread_record& running() noexcept { return *threads_[running_]; }
  [[nodiscard]] thread_record& program() noexcept { return *threads_[0]; }

  const std::uint64_t points_max_;
  thread_list threads_;
  unsigned running_ = 0;
  bool stepping_ = false;
  std::uint64_t points_ = 0;
  std::uint64_t switches_ = 0;
  std::string failure_;
  std::string stuck_;  // why the waits of the program are over, whatever they wait for; empty: they are not
  sync::time_point now_ = beginning;
  sync::time_point stopwatch_ = beginning;
  sync::thread_state outside_;  // the state of the real thread before the simulation

  turn_choice choice_;
  base::random chances_;
  std::uint64_t quickest_ns_;
  planned_failures planned_;
  std::unordered_map<std::uint64_t, unsigned> numbers_;
  message_contents contents_;
  story story_;
};

}  // namespace tact::simulated
