// Where actors and messages go, and where workers run.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <cstddef>
#include <iosfwd>
#include <vector>

namespace tact {

// -- how an actor is placed: the second argument of create, the first of spawn. Without one of these tags an actor is
// ordered: it handles one message at a time, those of each sender in the order sent, and never collides.

// The actor handles several messages at a time, on any workers, in no promised order, even for the messages of one
// sender. Each run starts from the behaviour that it finds, and a run that becomes commits by compare-and-swap: when
// another become came first, the run is thrown away and the message handled again. While its becomes collide often the
// actor handles one message at a time, in its home shard. For actors that many senders read and few change, and for
// those whose handlers take long. Not for classic actors. docs/protocols/commit.md.
struct parallel_t {};
inline constexpr parallel_t parallel{};

// The actor handles one message at a time, in order, and is alone on a shard that is kept for such actors
// while some are left (engine_options::heavy_shards): so a handler that takes long delays no other actor, and an idle
// worker can take over this actor alone.
struct heavy_t {};
inline constexpr heavy_t heavy{};

// The actor handles one message at a time, in order, on a thread of its own. For files, sockets and long
// computations: its handlers may wait without keeping a worker or another actor waiting. Source of the idea: the
// detached actors of CAF.
struct blocking_t {};
inline constexpr blocking_t blocking{};

// -- where a message to a parallel actor is handled: the last argument of send

// The message goes to the next shard, round over those of all workers, instead of the one where it was sent. Without
// effect for exclusive actors, which are handled in a shard of their own.
struct spread_t {};
inline constexpr spread_t spread{};

// -- where workers run

// The place of one worker; logical numbers of hwloc, each counted from 0 over the whole machine.
struct seat {
  unsigned processing_unit = 0;
  unsigned core = 0;
  unsigned cache = 0;  // the last level that several cores share
  unsigned memory = 0;
  unsigned package = 0;

  friend bool operator==(const seat&, const seat&) = default;
};
std::ostream& operator<<(std::ostream&, const seat&);

// Whether the workers of an engine stay on the processing units of their seats: engine_options::pin_workers.
enum class pinning : unsigned char {
  off,        // the system may move them
  on,         // they stay, for programs that have the machine for themselves
  automatic,  // they stay where they gain by it, and nothing that the engine can know speaks against it
};
std::ostream& operator<<(std::ostream&, pinning);

// -- where memory lies

// On which memories (NUMA nodes) of the machine the pages lie that an engine maps for actors and messages:
// engine_options::memory.
enum class memory_placement : unsigned char {
  local,        // each page lies near to the thread that fills it first
  interleaved,  // the pages lie on the memories in turn, whichever thread fills them
};
std::ostream& operator<<(std::ostream&, memory_placement);

// One seat per worker that there may be; workers with neighbouring numbers sit next to each other. Plain data, and
// constant once the engine runs.
struct placement_plan {
  std::vector<seat> seats{};
  // The workers are to stay on their seats; otherwise the system may move them. How many of them do stay is counted by
  // statistics::pinned, because the system may refuse it.
  bool pinned = false;

  static constexpr unsigned farthest = 4;  // distance
  // How far the seats of two workers are apart: 0 on the same core, 1 the same cache, 2 the same memory, 3 the same
  // package, 4 farther.
  [[nodiscard]] unsigned distance(std::size_t a, std::size_t b) const noexcept {
    const seat& x = seats[a];
    const seat& y = seats[b];
    if (x.core == y.core) return 0;
    if (x.cache == y.cache) return 1;
    if (x.memory == y.memory) return 2;
    return x.package == y.package ? 3 : 4;
  }
};
// Prints a table with a row for each seat.
std::ostream& operator<<(std::ostream&, const placement_plan&);

}  // namespace tact

#include "tact/detail/end.hpp"  // last
