// The workers that sleep, in the turn in which a run gives them messages.
#pragma once

#include <cstdint>
#include <optional>

#include "dispatch/exchange/idle_set.hpp"

namespace tact::dispatch {

// A message for a parallel actor may be run by a worker that sleeps. One run gives its first messages to its own worker
// and the following ones to the sleepers in turn. Thread safety: owner only.
class sleepers {
 public:
  // `own`: the number of the worker that gives, which is not given anything.
  sleepers(const idle_set& idle, unsigned own) noexcept : idle_(&idle), own_(own) {}

  [[nodiscard]] bool any() const noexcept { return idle_->any(); }
  [[nodiscard]] unsigned count() const noexcept { return idle_->count(); }
  // The worker whose turn it is; none if no other worker sleeps.
  [[nodiscard]] std::optional<unsigned> next() noexcept {
    const auto found = idle_->next_after(last_);
    if (!found || *found == own_) return std::nullopt;
    last_ = *found;
    return found;
  }

  // Counts one more message of the run that could be given away; returns how many there were before.
  [[nodiscard]] std::uint64_t count_message() noexcept { return messages_++; }
  void begin_run() noexcept { messages_ = 0; }

 private:
  const idle_set* const idle_;
  const unsigned own_;
  unsigned last_ = 0;
  std::uint64_t messages_ = 0;
};

}  // namespace tact::dispatch
