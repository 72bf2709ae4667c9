// Adds up what the parts of an engine have counted, and says it for people.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "actors/cells/cell_store.hpp"
#include "actors/common/names.hpp"
#include "actors/common/page_placement.hpp"
#include "actors/common/seating.hpp"
#include "actors/counts/tally.hpp"
#include "actors/figures/run_roll.hpp"
#include "actors/pressure/limits.hpp"
#include "actors/time/timers.hpp"
#include "actors/wait/parking.hpp"
#include "dispatch/dispatcher.hpp"
#include "tact/description.hpp"
#include "tact/detail/core.hpp"
#include "tact/mailbox_limit.hpp"
#include "tact/statistics.hpp"

namespace tact::actors {

// Thread safety: any thread. Sums are of several moments while the engine runs; the order in which the counters are
// read keeps what a comment promises.
class census {
 public:
  // What it reads.
  struct parts {
    const run_roll& runs;
    dispatch::dispatcher& workers;
    const outside_tally& outside;
    const engine_options& options;
    const actors::seating& seating;
    const page_placement& pages;
    const limits& admitted;
    cell_store& cells;
    const timers& timed;
    const parking& parked;
  };
  explicit census(const parts& p) noexcept : parts_(p) {}
  census(const census&) = delete;
  census& operator=(const census&) = delete;

  // No message waits or is being handled. Invariant: true only if this was so at one moment during the call.
  [[nodiscard]] bool is_quiet() const noexcept;
  [[nodiscard]] std::uint64_t actors_alive() const noexcept;

  [[nodiscard]] statistics read_statistics() const;
  [[nodiscard]] std::vector<worker_statistics> read_worker_statistics() const;
  [[nodiscard]] std::vector<type_statistics> read_type_statistics() const;
  [[nodiscard]] std::vector<std::uint64_t> read_shard_depths() const;
  // The fullest limited mailboxes, the fullest first.
  [[nodiscard]] std::vector<mailbox_depth> read_fullest(std::size_t most) const;

  // The workers by their number, then the threads of blocking actors and those that help.
  [[nodiscard]] std::vector<thread_description> describe_threads() const;
  // All but its dead letters.
  [[nodiscard]] engine_description describe_engine() const;
  // What the engine does now and what it still has to do, as a line for people.
  [[nodiscard]] std::string still_running() const;

 private:
  // Calls f(const dispatch::worker_counters&) for every thread that runs actors.
  template <class F>
  void for_each_thread(F f) const;
  void read_waits(statistics& s) const;
  void read_asks(statistics& s) const;
  void read_timers(statistics& s) const;
  [[nodiscard]] std::string actors_by_type() const;
  [[nodiscard]] thread_doing doing_of(const run_state& r) const;
  [[nodiscard]] std::vector<std::string> describe_waiting(std::size_t most) const;

  const parts parts_;
};

}  // namespace tact::actors
