// How often something is done again that may be in vain.
#pragma once

#include <algorithm>
#include <cstdint>

namespace tact::dispatch {

// What costs something, and may gain nothing, is done again after a wait: the next wait is twice as long when it was in
// vain, and half as long when it was of use, within limits. So in the long run what is in vain costs a small part of
// the time, and what is of use is soon done often again. Times are in any unit, as long as it is always the same.
// Source of the idea: the exponential back-off of networks. Thread safety: owner only.
class backoff {
 public:
  static constexpr unsigned doublings_most = 6;

  // The first wait is the least one.
  constexpr explicit backoff(std::uint64_t least) noexcept : least_(least), wait_(least) {}

  [[nodiscard]] bool is_due(std::uint64_t now) const noexcept { return now - since_ >= wait_; }
  // How long the next wait is, and when it began.
  [[nodiscard]] std::uint64_t wait() const noexcept { return wait_; }
  [[nodiscard]] std::uint64_t since() const noexcept { return since_; }

  void was_in_vain(std::uint64_t now) noexcept {
    wait_ = std::min(2 * wait_, least_ << doublings_most);
    since_ = now;
  }
  void was_of_use(std::uint64_t now) noexcept {
    wait_ = std::max(wait_ / 2, least_);
    since_ = now;
  }
  // The next wait is the least one again.
  void begin_anew() noexcept { wait_ = least_; }

 private:
  std::uint64_t least_;
  std::uint64_t wait_;
  std::uint64_t since_ = 0;
};

}  // namespace tact::dispatch
