// What an engine counted: readable while it runs, exact when it is idle.
#pragma once

#include <cstdint>
#include <iosfwd>

namespace tact {

// Sums over all workers since the engine started. While it runs each figure may lag by one batch of messages.
struct statistics {
  unsigned workers = 0;
  unsigned shards = 0;
  std::uint64_t actors_created = 0;
  std::uint64_t actors_alive = 0;
  std::uint64_t messages_sent = 0;  // accepted: committed + failed + dead + in flight
  std::uint64_t commits = 0;
  std::uint64_t failures = 0;  // handlers that threw
  std::uint64_t dead_letters = 0;
  std::uint64_t collisions = 0;  // runs discarded because another run's become got in first
  std::uint64_t aborts = 0;      // runs discarded: collisions + failures
  std::uint64_t forwarded = 0;   // messages sent home
  std::uint64_t gulps = 0;
  std::uint64_t missed_gulps = 0;  // somebody else held the shard
  std::uint64_t gulped = 0;        // messages taken by gulps
  std::uint64_t parks = 0;
  std::uint64_t wakes = 0;
  std::uint64_t bytes_held = 0;   // cells of this engine; chunks, closures and boxes of the process; in use or spare
  std::uint64_t allocations = 0;  // times that memory for those was taken from the system

  // 0 also when, on a running engine, the figures of a later moment than that of messages_sent were read.
  [[nodiscard]] std::uint64_t in_flight() const noexcept {
    const std::uint64_t handled = commits + failures + dead_letters;
    return messages_sent > handled ? messages_sent - handled : 0;
  }
  [[nodiscard]] double average_gulp() const noexcept {
    return gulps == 0 ? 0.0 : static_cast<double>(gulped) / static_cast<double>(gulps);
  }
};

// A table of two columns.
std::ostream& operator<<(std::ostream&, const statistics&);

}  // namespace tact
