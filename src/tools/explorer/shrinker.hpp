// Looks for a simpler schedule with the same failure.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "tools/explorer/schedule.hpp"

namespace tact::explorer {

// Tries schedules that follow the best one so far with something left out or joined, keeps those that still fail, and
// ends when nothing helps any more or the effort is spent.
class shrinker {
 public:
  // Runs a schedule that follows the decisions as far as possible. Returns what was really decided, or nothing when it
  // did not fail as it should.
  using attempt = std::function<std::optional<schedule>(const std::vector<decision>&)>;

  struct effort {
    std::uint64_t replays;
    std::uint64_t operations;  // in all replays
  };

  shrinker(attempt a, effort e) : attempt_(std::move(a)), left_(e) {}

  [[nodiscard]] schedule shrink(schedule found);

 private:
  using decisions = std::vector<decision>;

  bool try_out(const decisions&);
  void leave_out_threads();
  void cut_tail();
  void leave_out_parts();
  void join_runs();
  void change_lengths();

  const attempt attempt_;
  effort left_;
  schedule best_;
};

}  // namespace tact::explorer
