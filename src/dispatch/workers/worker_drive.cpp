// How a thread drives a worker that has no thread of its own.
#include "dispatch/holding/driving.hpp"
#include "dispatch/workers/worker.hpp"

namespace tact::dispatch {

std::uint64_t worker::drive(const drive_limit& most, unsigned rounds) noexcept {
  limit_ = most;
  const driving here(*this);
  while (rounds-- != 0 && !stops() && idling::look_round(*this)) {
  }
  return here.handled();
}

}  // namespace tact::dispatch
