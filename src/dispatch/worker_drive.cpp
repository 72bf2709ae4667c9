// How a thread drives a worker that has no thread of its own.
#include "dispatch/dispatcher.hpp"
#include "dispatch/worker.hpp"

namespace tact::dispatch {

std::uint64_t worker::drive(const drive_limit& most, unsigned rounds) noexcept {
  limit_ = most;
  runner_->on_start();
  owner_->reclamation().online(index_);
  const std::uint64_t before = runner_->count_handled();
  while (rounds-- != 0 && !stops() && round()) {
  }
  flush();
  const std::uint64_t handled = runner_->count_handled() - before;
  runner_->publish_counters(true);
  owner_->reclamation().offline(index_);
  runner_->on_leave();
  return handled;
}

}  // namespace tact::dispatch
