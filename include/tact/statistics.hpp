// What an engine counted: readable while it runs, exact when it is idle.
#include "tact/detail/language.hpp"  // first
#pragma once

#include <cstdint>
#include <iosfwd>
#include <string_view>
#include <vector>

namespace tact {

// What one worker counted since the engine started. While it runs each figure may lag by one batch of messages. The
// meanings of those about gulps and stealing are those of C∀ actors.
struct worker_statistics {
  std::uint64_t actors_created = 0;
  std::uint64_t messages_sent = 0;  // accepted; in the sums: commits + failures + dead letters + in flight
  std::uint64_t commits = 0;
  std::uint64_t failures = 0;  // handlers that threw
  std::uint64_t dead_letters = 0;
  std::uint64_t collisions = 0;  // runs discarded because another run's become got in first
  std::uint64_t aborts = 0;      // runs discarded: collisions + failures
  std::uint64_t forwarded = 0;   // messages that met an actor at home, and were brought there
  std::uint64_t went_home = 0;   // times that a parallel actor went home: its becomes collided, or it always became
  std::uint64_t came_back = 0;   // times that one became parallel again
  // What came to a shard, or to an office, was taken at once: docs/protocols/office.md.
  std::uint64_t gulps = 0;
  std::uint64_t gulped = 0;            // messages taken by gulps; those that come by an office may be taken twice
  std::uint64_t missed_gulps = 0;      // somebody else held the shard or office
  std::uint64_t published = 0;         // messages to shards that the worker does not hold
  std::uint64_t chunks_published = 0;  // of 4 KiB, in which those lay: a few messages in each cost memory and time
  std::uint64_t steal_attempts = 0;    // a victim was looked at
  std::uint64_t steals_without_candidate = 0;  // attempts that failed: the victim had no shard worth stealing
  std::uint64_t steals_failed = 0;             // attempts that failed: somebody else moved one of the two shards first
  std::uint64_t shards_stolen = 0;             // attempts that did not fail
  std::uint64_t messages_stolen = 0;           // that lay in the stolen shards
  std::uint64_t adoptions = 0;                 // shards and offices of idle workers taken over instead of waking those
  std::uint64_t parks = 0;
  std::uint64_t wakes = 0;

  [[nodiscard]] double average_gulp() const noexcept { return average(gulped, gulps); }
  [[nodiscard]] double average_chunk() const noexcept { return average(published, chunks_published); }
  [[nodiscard]] double average_steal() const noexcept { return average(messages_stolen, shards_stolen); }

  worker_statistics& operator+=(const worker_statistics& other) noexcept;

 private:
  static double average(std::uint64_t sum, std::uint64_t count) noexcept {
    return count == 0 ? 0.0 : static_cast<double>(sum) / static_cast<double>(count);
  }
};

// The sums over all workers, with what happened on threads outside, and what belongs to no worker.
struct statistics : worker_statistics {
  unsigned workers = 0;  // that run at this moment: those with the lowest numbers
  unsigned shards = 0;
  unsigned searchers = 0;  // workers that look for something to steal at this moment
  std::uint64_t actors_alive = 0;
  std::uint64_t refused = 0;           // messages lost because a mailbox was full; dead letters too
  std::uint64_t retired = 0;           // behaviours and addresses given up, which other workers may still be reading
  std::uint64_t waiting = 0;           // handlers that wait for an answer, at this moment; their messages are in flight
  std::uint64_t stacks = 0;            // for handlers that may wait, in use or spare
  std::uint64_t timers_armed = 0;      // that wait, at this moment; no message of theirs is in flight
  std::uint64_t timers_fired = 0;      // messages that timers have sent; counted in messages_sent too
  std::uint64_t timers_cancelled = 0;  // before they fired, or fired once more
  std::uint64_t timers_dropped = 0;    // by the end of the engine
  std::uint64_t chunks_held = 0;       // of 4 KiB, with messages or spare
  // Cells, timers and stacks of this engine, chunks, closures and boxes of the process; in use or spare. Of each stack
  // the first page is counted, because it is not known how deep it was used.
  std::uint64_t bytes_held = 0;
  std::uint64_t allocations = 0;  // times that memory for those was taken from the system

  // 0 also when, on a running engine, the figures of a later moment than that of messages_sent were read.
  [[nodiscard]] std::uint64_t in_flight() const noexcept {
    const std::uint64_t handled = commits + failures + dead_letters;
    return messages_sent > handled ? messages_sent - handled : 0;
  }
};

// What the actors of one type did, by the protocol or class: see engine.type_statistics().
struct type_statistics {
  std::string_view actor{};      // constant; lives as long as the program
  std::uint64_t alive = 0;       // now
  std::uint64_t at_home = 0;     // of those: parallel actors whose becomes go to their home shard now
  std::uint64_t collisions = 0;  // as in worker_statistics, as the next two
  std::uint64_t went_home = 0;
  std::uint64_t came_back = 0;
};

// A table of two columns.
std::ostream& operator<<(std::ostream&, const statistics&);
// A table with a row for each worker; what no worker counted has no column.
std::ostream& operator<<(std::ostream&, const std::vector<worker_statistics>&);
// A table with a row for each type.
std::ostream& operator<<(std::ostream&, const std::vector<type_statistics>&);

}  // namespace tact
