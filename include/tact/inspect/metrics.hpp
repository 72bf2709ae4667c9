// tact::inspect::metrics: how long the handlers of an engine take and its messages wait, by the type of actor; and all
// its figures as metrics for Prometheus.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <chrono>
#include <cstdint>
#include <iosfwd>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tact/description.hpp"
#include "tact/engine.hpp"
#include "tact/patterns/distribution.hpp"
#include "tact/statistics.hpp"

namespace tact::inspect {

class probe;

// What samples say of the actors of one type. While messages are handled, one of 64 is measured, or more where handlers
// take longer: enough that measuring takes some two hundredths of the time at most.
struct type_metrics {
  std::string actor{};               // protocol or class
  double messages = 0;               // so many were handled since the metrics began: estimated
  std::chrono::nanoseconds busy{0};  // so long they took together: estimated
  distribution handling{};           // of samples: for how many ns a handler kept its thread
  distribution waiting{};            // of samples: ns from the send of a message to the begin of its handler
  double sent = 0;                   // so many messages its handlers have sent: estimated
  // Of samples: requests that it has taken and that are over. The asker was given an answer; or it was told of a
  // failure instead, or its time limit has passed.
  std::uint64_t answered = 0;
  std::uint64_t unanswered = 0;
};

// A request of a sample that an actor has taken and not answered yet: it has deferred the request, or its handler
// waits.
struct kept_request {
  std::string actor{};    // what a ref prints, behind the actor's name if it has one
  std::string message{};  // message type
  std::chrono::nanoseconds kept{0};
};

// The figures of one moment; while the engine runs, its parts are of several moments.
struct metrics_snapshot {
  tact::statistics statistics{};
  std::vector<tact::worker_statistics> workers{};  // see engine.worker_statistics()
  std::vector<thread_description> threads{};       // see engine_description::threads
  std::vector<type_metrics> types{};               // those that took most of the time first
  std::vector<std::uint64_t> shard_depths{};       // see engine.shard_depths()
  std::vector<dead_letter_count> dead_letters{};   // see engine.dead_letters_by_reason()
  std::vector<kept_request> kept{};                // the oldest first, 256 at most
};

// One metric, as Prometheus understands it: docs/inspect/metrics.md lists all.
struct metric {
  enum class kind : unsigned char { counter, gauge, histogram };
  struct bucket {
    double up_to = 0;         // the last one is infinite
    std::uint64_t count = 0;  // of the samples that do not exceed it
  };
  struct series {
    std::vector<std::pair<std::string, std::string>> labels{};
    double value = 0;               // of a histogram: the sum
    std::vector<bucket> buckets{};  // of a histogram
  };
  std::string name{};
  std::string help{};
  kind what = kind::counter;
  std::vector<series> all{};
};
// What the snapshot says, as metrics. Names and units follow the conventions of Prometheus: seconds, bytes, counters
// end in _total. No label has more values than there are workers, types of actors or reasons. Throws std::bad_alloc.
[[nodiscard]] std::vector<metric> metrics_of(const metrics_snapshot&);
// Writes them in the text format of Prometheus, version 0.0.4: its content type is "text/plain; version=0.0.4".
void write_prometheus(std::ostream& to, const std::vector<metric>& all);

// Measures from its beginning to its end.
//
//   tact::inspect::metrics metrics(engine);
//   ...
//   tact::inspect::write_prometheus(file, metrics_of(metrics.read()));
//
// While one of them lives, a message takes about 2 ns more, and one of a thread outside 5: docs/inspect/metrics.md has
// the figures.
// Thread safety: any thread, concurrently. The engine must live as long.
class metrics {
 public:
  explicit metrics(engine& of);  // throws std::bad_alloc
  metrics(const metrics&) = delete;
  metrics& operator=(const metrics&) = delete;
  ~metrics();

  // Threads go on meanwhile. Takes time for each worker, shard and type of actor, and none for each actor. Throws
  // std::bad_alloc.
  [[nodiscard]] metrics_snapshot read() const;

 private:
  engine& engine_;
  const std::shared_ptr<probe> probe_;
};

}  // namespace tact::inspect

#include "tact/detail/end.hpp"  // last
