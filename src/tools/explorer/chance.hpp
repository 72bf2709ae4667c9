// A chooser that decides by random numbers from a seed.
#pragma once

#include <array>
#include <cstdint>

#include "tools/explorer/chooser.hpp"
#include "tools/explorer/random.hpp"

namespace tact::explorer {

// There are three kinds of schedules, of which the seed chooses one: `uniform` gives every step to any thread, `sticky`
// lets a thread run on for a while, `priority` (PCT) runs the thread of the highest priority and lowers it at a few
// random points. The seed also says how long stores stay in their buffers and whether there are spurious wake-ups and
// failures.
class chance final : public chooser {
 public:
  // Sets the seed of the next schedule.
  void set_seed(std::uint64_t seed) noexcept { seed_ = seed; }

  void begin(unsigned thread_count) noexcept override;
  void interfere(scheduler&) noexcept override;
  unsigned choose(scheduler&, thread_set candidates) noexcept override;
  void gave_way(const scheduler&, unsigned thread) noexcept override { lower(thread); }
  unsigned times_out(thread_set candidates) noexcept override { return any_of(candidates); }
  unsigned wakes(thread_set candidates) noexcept override { return any_of(candidates); }
  bool holds_back(const scheduler&) noexcept override { return true; }
  bool fails_spuriously(const scheduler&) noexcept override { return something_spurious(); }

 private:
  enum class kind : unsigned char { uniform, sticky, priority };

  [[nodiscard]] unsigned any_of(thread_set) noexcept;
  [[nodiscard]] unsigned highest_among(thread_set) const noexcept;
  [[nodiscard]] bool something_spurious() noexcept { return spurious_odds_ != 0 && random_.one_in(spurious_odds_); }
  void lower(unsigned thread) noexcept { priorities_[thread] = --lowest_priority_; }

  std::uint64_t seed_ = 0;
  random random_{0};
  kind kind_ = kind::uniform;
  std::uint32_t drain_odds_ = 1;  // the odds: one in so many
  std::uint32_t change_odds_ = 1;
  std::uint32_t spurious_odds_ = 0;  // 0: never
  std::int64_t lowest_priority_ = 0;
  std::array<std::int64_t, threads_max> priorities_{};
};

}  // namespace tact::explorer
