// How much the thread that drives a worker runs before it returns.
#pragma once

#include <cstdint>
#include <limits>

#include "sync/policy.hpp"
#include "sync/system.hpp"

namespace tact::dispatch {

// The turn of a worker with a thread of its own is never over. Thread safety: the thread that drives only.
class turn {
 public:
  static constexpr std::uint64_t unlimited = std::numeric_limits<std::uint64_t>::max();

  turn() = default;
  // The turn is over when the worker has handled `last` messages since the engine began; when `until` has passed; when
  // `quit` is set; or when a simulation cannot go on.
  turn(std::uint64_t last, sync::deadline until, const sync::atomic<bool>* quit) noexcept
      : last_(last), until_(until), quit_(quit), is_over_(last == 0) {}

  [[nodiscard]] bool is_over() const noexcept { return is_over_; }
  // The number of messages that may still be run. REQUIRES: the turn is not over.
  [[nodiscard]] std::uint64_t left(std::uint64_t handled) const noexcept { return last_ - handled; }
  void look(std::uint64_t handled) noexcept {
    is_over_ = is_over_ || handled >= last_ || (quit_ != nullptr && quit_->load()) ||
               (until_ && sync::clock::now() >= *until_) || sync::waits_in_vain();
  }

 private:
  std::uint64_t last_ = unlimited;
  sync::deadline until_;
  const sync::atomic<bool>* quit_ = nullptr;
  bool is_over_ = false;
};

}  // namespace tact::dispatch
