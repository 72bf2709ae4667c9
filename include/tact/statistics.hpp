// The figures that an engine counts: they can be read while it runs, and are exact when it is idle.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <cstdint>
#include <iosfwd>
#include <string_view>
#include <vector>

namespace tact {

// The figures of one worker since the engine started. While the engine runs each of them may lag by one batch of
// messages. Those about gulps and stealing mean what they mean in C∀ actors.
struct worker_statistics {
  std::uint64_t actors_created = 0;
  std::uint64_t messages_sent = 0;  // accepted ones; in the sums: commits + failures + dead letters + in flight
  std::uint64_t commits = 0;
  std::uint64_t failures = 0;  // handlers that threw
  std::uint64_t dead_letters = 0;
  std::uint64_t restarts = 0;  // actors that were made anew: failure_policy::restart
  std::uint64_t retries = 0;   // handlers that threw, and whose message was handled again; no failures
  // Runs that were discarded because another run's become was committed first, or because they became on a worker that
  // does not hold the home of the actor.
  std::uint64_t collisions = 0;
  std::uint64_t aborts = 0;     // runs discarded: collisions + failures
  std::uint64_t forwarded = 0;  // messages for an actor at home that were brought to its shard
  std::uint64_t went_home = 0;  // times that a parallel actor went home: its becomes collided, or it always became
  std::uint64_t came_back = 0;  // times that one became parallel again
  // Times that a worker took at once all that had come to a shard, or to an office: docs/protocols/office.md.
  std::uint64_t gulps = 0;
  std::uint64_t gulped = 0;        // messages taken by gulps; a message that comes by an office may be counted twice
  std::uint64_t missed_gulps = 0;  // times that another thread held the shard or office
  std::uint64_t published = 0;     // messages to shards that the worker does not hold
  std::uint64_t chunks_published = 0;  // of 4 KiB, in which those lay: few messages in each chunk cost memory and time
  std::uint64_t steal_attempts = 0;    // times that a victim was looked at
  std::uint64_t steals_without_candidate = 0;  // attempts that failed: the victim had no shard worth stealing
  std::uint64_t steals_failed = 0;             // attempts that failed: another worker moved one of the two shards first
  std::uint64_t shards_stolen = 0;             // attempts that did not fail
  std::uint64_t shards_returned = 0;           // taken back by the worker with which they are at home
  std::uint64_t messages_stolen = 0;           // that lay in the stolen shards
  std::uint64_t adoptions = 0;  // shards and offices of idle workers, taken over instead of waking these workers
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

// The sums over all workers, together with what happened on threads outside and what belongs to no worker.
struct statistics : worker_statistics {
  unsigned workers = 0;  // that have a thread at this moment: those with the lowest numbers
  unsigned running = 0;  // of these, the workers that run now; the others rest (engine_options::workers_rest)
  // Of the workers that have a thread, those that were bound to the processing unit of their seat when their threads
  // began: 0 if engine.plan().pinned is false, and fewer than `workers` where the system refused.
  unsigned pinned = 0;
  // The memories (NUMA nodes) over which pages with messages and actors go round: 0 if engine_options::memory is local,
  // if there is only one memory, and where the system refused.
  unsigned memory_nodes = 0;
  unsigned shards = 0;
  unsigned searchers = 0;  // workers that look for something to steal at this moment
  std::uint64_t actors_alive = 0;
  std::uint64_t refused = 0;           // messages lost because a mailbox was full; dead letters too
  std::uint64_t retired = 0;           // behaviours and addresses given up that other workers may still be reading
  std::uint64_t waiting = 0;           // handlers that wait for an answer, at this moment; their messages are in flight
  std::uint64_t outside_asks = 0;      // asks of threads outside that have no answer yet, at this moment
  std::uint64_t stacks = 0;            // for handlers that may wait, in use or spare
  std::uint64_t timers_armed = 0;      // timers that are set at this moment; none of their messages is in flight
  std::uint64_t timers_fired = 0;      // messages that timers have sent; counted in messages_sent too
  std::uint64_t timers_cancelled = 0;  // timers cancelled before they fired, or before they fired once more
  std::uint64_t timers_dropped = 0;    // by the end of the engine
  std::uint64_t reports_lost = 0;      // of the whole process: lines that stderr did not take, because nothing read it
  std::uint64_t chunks_held = 0;       // of 4 KiB, with messages or spare
  // Memory in use or spare: for cells, timers and stacks of this engine; chunks, closures and boxes of the whole
  // process. Of each stack the first page is counted, because it is not known how much of the stack was used.
  std::uint64_t bytes_held = 0;
  std::uint64_t allocations = 0;  // how often memory for those was taken from the system

  // Messages sent and not handled yet. While the engine runs it may also be 0 because the other figures are of a later
  // moment than messages_sent.
  [[nodiscard]] std::uint64_t in_flight() const noexcept {
    const std::uint64_t handled = commits + failures + dead_letters;
    return messages_sent > handled ? messages_sent - handled : 0;
  }
};

// The figures of the actors of one type, a protocol or a class: see engine.type_statistics().
struct type_statistics {
  std::string_view actor{};      // valid as long as the program runs
  std::uint64_t alive = 0;       // now
  std::uint64_t at_home = 0;     // of those: parallel actors whose becomes run in their home shard now
  std::uint64_t collisions = 0;  // this one and the next two: as in worker_statistics
  std::uint64_t went_home = 0;
  std::uint64_t came_back = 0;
};

// Each of these two prints a table of two columns.
std::ostream& operator<<(std::ostream&, const statistics&);
std::ostream& operator<<(std::ostream&, const worker_statistics&);
// Prints a table with a row for each worker, and without columns in which every figure is 0.
std::ostream& operator<<(std::ostream&, const std::vector<worker_statistics>&);
// Prints "account: 12 alive, 0 at home, 3 collisions, went home 0 times, came back 0 times".
std::ostream& operator<<(std::ostream&, const type_statistics&);
// Prints a table with a row for each type.
std::ostream& operator<<(std::ostream&, const std::vector<type_statistics>&);

}  // namespace tact

#include "tact/detail/end.hpp"  // last
