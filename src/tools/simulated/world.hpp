// What stands in for the operating system in one simulation. docs/protocols/simulation.md.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "base/blocks.hpp"
#include "base/random.hpp"
#include "sync/system.hpp"
#include "sync/thread_state.hpp"
#include "tact/simulation.hpp"
#include "tools/simulated/control.hpp"
#include "tools/simulated/planned_failures.hpp"
#include "tools/simulated/random_stopwatch.hpp"
#include "tools/simulated/scheduler.hpp"
#include "tools/simulated/story.hpp"

namespace tact::simulated {

// Leads each request of the engine to the part that serves it. Thread safety: the real thread. Invariant: what is left
// to chance beside the turns comes from the seed, by a generator of its own, so that a schedule in full meets the same
// events.
class world final : public sync::director, public base::allocation_watch {
 public:
  explicit world(const schedule& as);
  // REQUIRES: no engine is left in it.
  ~world();
  // As start, but for a thread of the program itself.
  unsigned start_beside(const std::string& name, std::function<void()> body);

  // It hears of each line and of the failure; null: none does.
  void tell(detail::simulation_watcher* w) noexcept;

  // -- the parts, for the program
  [[nodiscard]] simulated::scheduler& scheduler() noexcept { return scheduler_; }
  [[nodiscard]] simulated::control& control() noexcept { return control_; }
  [[nodiscard]] simulated::story& story() noexcept { return story_; }
  [[nodiscard]] planned_failures& planned() noexcept { return planned_; }

  // -- sync::director
  [[nodiscard]] sync::time_point now() noexcept override { return scheduler_.clock().now(); }
  [[nodiscard]] sync::time_point stopwatch() noexcept override { return stopwatch_.look(); }
  // A thread never loses its processor.
  [[nodiscard]] sync::processor_use use(sync::time_point now) noexcept override {
    return {now, now.time_since_epoch(), 0};
  }
  void give_way() noexcept override { scheduler_.give_way(); }
  [[nodiscard]] bool sleep(const void* at, sync::deadline until) noexcept override {
    return scheduler_.sleep(at, until);
  }
  [[nodiscard]] bool sleep_if(const futex_word& word, std::uint32_t expected, sync::deadline until) noexcept override {
    return word.load() != expected || scheduler_.sleep(&word, until);
  }
  void wake(const void* at, int threads) noexcept override { scheduler_.wake(at, threads); }
  void barrier_for_all() noexcept override {}
  unsigned start(const std::string& name, std::function<void()> body) override;
  void join(unsigned thread) noexcept override { scheduler_.join(thread); }
  [[nodiscard]] unsigned this_thread() const noexcept override { return scheduler_.running_thread(); }
  [[nodiscard]] std::string_view machine() const noexcept override { return {}; }
  void seat(const unsigned*) noexcept override {}
  [[nodiscard]] unsigned memories() const noexcept override { return 0; }
  void interleave(const void*, std::size_t) noexcept override {}
  void hear(const statistics&) noexcept override {}
  void may_switch() noexcept override { scheduler_.may_switch(); }
  void note(sync::event what, std::uint64_t actor, std::string_view name,
            const sync::noted_message& message) noexcept override {
    story_.note(this_thread(), what, actor, name, message, scheduler_.running_name());
  }
  void say(std::string_view line) noexcept override { story_.say(this_thread(), line, scheduler_.running_name()); }
  void after_handler() override { planned_.after_handler(); }
  [[nodiscard]] unsigned planted_failures() const noexcept override { return planned_.count(); }
  [[nodiscard]] std::string_view why_in_vain() const noexcept override { return scheduler_.verdict().why_stuck(); }
  [[nodiscard]] unsigned number_of(std::uint64_t actor) noexcept override { return story_.number_of(actor); }

  // -- base::allocation_watch
  [[nodiscard]] bool permits_allocation() noexcept override { return planned_.permits_allocation(); }

 private:
  sync::thread_state outside_;  // the state of the real thread before the simulation
  base::random chances_;
  random_stopwatch stopwatch_;
  simulated::scheduler scheduler_;
  simulated::control control_;
  planned_failures planned_;
  simulated::story story_;
};

}  // namespace tact::simulated
