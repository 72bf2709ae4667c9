// What is known of the messages that a thread runs.
#pragma once

#include <cstdint>

#include "dispatch/holding/sleepers.hpp"
#include "dispatch/policy/cost_meter.hpp"

namespace tact::dispatch {

// The runner counts and measures, the dispatcher decides by it.
struct lane_measures {
  const cost_meter& meter;
  const sleepers& asleep;        // the workers that could take some of the messages
  const std::uint64_t& handled;  // the number of messages that have been run
  bool joins = false;            // this thread may hold several shards at a time
};

}  // namespace tact::dispatch
