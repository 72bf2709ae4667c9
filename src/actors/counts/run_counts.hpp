// What one thread that runs messages counts.
#pragma once

#include <cstdint>

#include "actors/counts/tally.hpp"
#include "actors/counts/type_tallies.hpp"

namespace tact::actors {

// Thread safety: `now` is the thread's own; any thread reads the others.
struct run_counts {
  tally now;
  type_tallies types;
  alignas(64) published_tally published;
  rare_tally rare;

  // `sent`: how many messages the thread has sent up to now. See docs/protocols/quiet.md.
  void publish(std::uint64_t sent) noexcept { published.publish(now, sent); }
  void publish_exactly(std::uint64_t sent) noexcept { published.publish_exactly(now, sent); }
};

}  // namespace tact::actors
