#include "dispatch/holding/worker_context.hpp"

#include <utility>

namespace tact::dispatch {

void worker_context::look_ahead() noexcept {
  next_home_ = 0;
  homes_end_ = find_homes(homes_);
}

// A run that creates more actors than this thread has shards creates them for others: each cycle beyond the first one
// goes to another worker that is idle, and to this one in its turn. A cycle of its own begins one shard further on than
// the one before. Otherwise, with eight shards, every eighth of the actors that are created in a row would live in the
// same shard. Source of the latter: skewed storage, Budnik and Kuck 1971.
void worker_context::go_on_in_row(std::size_t made_in_row) noexcept {
  if (made_in_row < cycle_) {
    is_elsewhere_ = false;
    base::place_closures_here();
    return look_ahead();
  }
  const bool is_first = made_in_row == cycle_;
  if (is_first) left_of_cycle_ = 1;
  if (--left_of_cycle_ != 0) return;
  if (const std::size_t found = find_homes_elsewhere(homes_, is_first); found != 0) {
    is_elsewhere_ = true;
    next_home_ = 0;
    homes_end_ = left_of_cycle_ = found;
    return;
  }
  if (std::exchange(is_elsewhere_, false)) base::place_closures_here();
  left_of_cycle_ = cycle_;
  if (next_home_ == homes_end_) look_ahead();
  ++next_home_;
}

void worker_context::flush() {
  publish([this](std::uint32_t number) { exchange_.waker().announce_outbox(number); });
}

void worker_context::give_back(unsigned chunks_kept) noexcept {
  runner_->trim();
  chunks_.trim(chunks_kept);
  exchange_.mail().take_counts(outboxes_);
}

}  // namespace tact::dispatch
