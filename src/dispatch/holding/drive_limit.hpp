// How much the thread that drives a worker runs before it returns.
#pragma once

#include <cstdint>
#include <limits>

#include "sync/policy.hpp"
#include "sync/system.hpp"

namespace tact::dispatch {

// A worker with a thread of its own has no limit. Thread safety: the thread that drives only.
class drive_limit {
 public:
  static constexpr std::uint64_t unlimited = std::numeric_limits<std::uint64_t>::max();

  drive_limit() = default;
  // The limit is reached when the worker has handled `last` messages since the engine began; when `until` has passed;
  // when `quit` is set; or when a simulation cannot go on.
  drive_limit(std::uint64_t last, sync::deadline until, const sync::atomic<bool>* quit) noexcept
      : last_(last), until_(until), quit_(quit), is_reached_(last == 0) {}

  [[nodiscard]] bool is_reached() const noexcept { return is_reached_; }
  // The number of messages that may still be run. REQUIRES: the limit is not reached.
  [[nodiscard]] std::uint64_t left(std::uint64_t handled) const noexcept { return last_ - handled; }
  void look(std::uint64_t handled) noexcept {
    is_reached_ = is_reached_ || handled >= last_ || (quit_ != nullptr && quit_->load()) ||
                  (until_ && sync::clock::now() >= *until_) || sync::waits_in_vain();
  }

 private:
  std::uint64_t last_ = unlimited;
  sync::deadline until_;
  const sync::atomic<bool>* quit_ = nullptr;
  bool is_reached_ = false;
};

}  // namespace tact::dispatch
