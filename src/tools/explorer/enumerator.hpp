// A chooser that takes one possibility after the other: depth first, all schedules within bounds.
#pragma once

#include <cstddef>
#include <vector>

#include "tools/explorer/chooser.hpp"
#include "tools/explorer/fairness.hpp"

namespace tact::explorer {

// When a thread sleeps, has finished or gives way, any other may be next, at no cost; so may any sleeper be the one
// that is woken. A switch away from a thread that could go on is a preemption, and these are bounded. A store goes out
// at once, unless it is one of a few that may stay in their buffers until any later operation of another thread. A
// sleeper with a deadline can go on at any time: then its deadline passes. Nothing is spurious.
class enumerator final : public chooser {
 public:
  enumerator(unsigned preemptions_max, unsigned late_stores_max)
      : preemptions_max_(preemptions_max), late_stores_max_(late_stores_max) {}

  // Moves on to the schedule after the one that has been run. False: that was the last.
  [[nodiscard]] bool advance();
  // True: a choice was not the same when it came up again, so the scenario depends on something else than its schedule.
  [[nodiscard]] bool astray() const noexcept { return astray_; }

  void begin(unsigned thread_count) noexcept override;
  unsigned choose(scheduler&, thread_set candidates) noexcept override;
  void gave_way(const scheduler&, unsigned thread) noexcept override;
  unsigned times_out(thread_set candidates) noexcept override { return nth(candidates, pick(size_of(candidates))); }
  unsigned wakes(thread_set candidates) noexcept override { return nth(candidates, pick(size_of(candidates))); }
  bool holds_back(const scheduler&) noexcept override;
  bool fails_spuriously(const scheduler&) noexcept override { return false; }

 private:
  struct choice {
    unsigned taken;
    unsigned possible;
  };

  [[nodiscard]] unsigned pick(unsigned possible) noexcept;
  [[nodiscard]] thread_set others(const scheduler&, thread_set candidates) const noexcept;
  void let_stores_out(scheduler&, unsigned chosen) noexcept;

  const unsigned preemptions_max_;
  const unsigned late_stores_max_;
  std::vector<choice> path_;  // the choices of the schedule that runs, as far as they are known
  bool astray_ = false;

  // Below: the state of one schedule.
  std::size_t depth_ = 0;
  bool free_ = true;  // the next switch is no preemption
  unsigned preemptions_left_ = 0;
  unsigned late_stores_left_ = 0;
  fairness fairness_;
};

}  // namespace tact::explorer
