// A chooser that follows a recorded schedule as far as possible, and goes on with as few switches as possible.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "tools/explorer/chooser.hpp"
#include "tools/explorer/fairness.hpp"
#include "tools/explorer/schedule.hpp"

namespace tact::explorer {

// A complete record of a schedule repeats it, operation by operation. A decision that does not fit, because others
// before it were left out, is skipped.
class follower final : public chooser {
 public:
  explicit follower(std::vector<decision> decisions) : decisions_(std::move(decisions)) {}

  void begin(unsigned thread_count) noexcept override;
  void interfere(scheduler&) noexcept override;
  unsigned choose(scheduler&, thread_set candidates) noexcept override;
  void gave_way(const scheduler&, unsigned thread) noexcept override;
  unsigned times_out(thread_set candidates) noexcept override { return nth(candidates, 0); }
  unsigned wakes(thread_set candidates) noexcept override;
  bool holds_back(const scheduler&) noexcept override;
  bool fails_spuriously(const scheduler&) noexcept override;

 private:
  [[nodiscard]] const decision* next() const noexcept { return at_ < decisions_.size() ? &decisions_[at_] : nullptr; }
  [[nodiscard]] bool take(decision::kind, const scheduler&) noexcept;
  [[nodiscard]] unsigned as_told(const scheduler&, thread_set candidates) noexcept;
  [[nodiscard]] unsigned on_its_own(const scheduler&, thread_set candidates) const noexcept;

  const std::vector<decision> decisions_;
  std::size_t at_ = 0;
  std::uint32_t times_ = 0;  // how many operations of decisions_[at_] are done
  fairness fairness_;
};

}  // namespace tact::explorer
