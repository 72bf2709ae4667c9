// The core of an engine: a dispatcher whose workers run actors, the cells of the actors, and a part for each job that
// concerns the engine as a whole.
#pragma once

#include <memory>

#include "actors/cells/cell_store.hpp"
#include "actors/cells/classic_watches.hpp"
#include "actors/cells/disposal.hpp"
#include "actors/common/page_placement.hpp"
#include "actors/common/phase.hpp"
#include "actors/common/seating.hpp"
#include "actors/counts/tally.hpp"
#include "actors/engine/loop_places.hpp"
#include "actors/engine/outside_waits.hpp"
#include "actors/engine/shutdown.hpp"
#include "actors/engine/sweep.hpp"
#include "actors/failure/dead_letters.hpp"
#include "actors/failure/reports.hpp"
#include "actors/figures/census.hpp"
#include "actors/figures/part_list.hpp"
#include "actors/figures/run_roll.hpp"
#include "actors/intake/burial.hpp"
#include "actors/intake/intake.hpp"
#include "actors/intake/outside_creations.hpp"
#include "actors/pressure/limits.hpp"
#include "actors/time/timers.hpp"
#include "actors/trace/tracing.hpp"
#include "actors/wait/parking.hpp"
#include "base/blocks.hpp"
#include "dispatch/dispatcher.hpp"
#include "fiber/stack_pool.hpp"
#include "sync/rundown.hpp"
#include "tact/detail/core.hpp"
#include "tact/engine_options.hpp"

namespace tact::actors {
class transactor;
}

namespace tact::detail {

// Owns what the parts of an engine share, makes the parts, and gives to each what it uses. Only the functions that
// users call (the files *_api.cpp) ask it for a part. Thread safety: any thread may call everything here, except where
// a comment says otherwise.
class core {
 public:
  explicit core(const engine_options& options);  // throws tact::option_error
  core(const core&) = delete;
  core& operator=(const core&) = delete;
  ~core();

  // -- the parts
  [[nodiscard]] actors::outside_creations& creations() noexcept { return creations_; }
  [[nodiscard]] actors::intake& intake() noexcept { return intake_; }
  [[nodiscard]] actors::burial& burial() noexcept { return burial_; }
  [[nodiscard]] actors::limits& limits() noexcept { return limits_; }
  [[nodiscard]] actors::loop_places& loop_places() noexcept { return loop_places_; }
  [[nodiscard]] const actors::census& census() const noexcept { return census_; }
  [[nodiscard]] actors::outside_waits& waits() noexcept { return waits_; }
  [[nodiscard]] actors::shutdown& shutdown() noexcept { return shutdown_; }

  // -- what they share
  [[nodiscard]] const engine_options& options() const noexcept { return options_; }
  [[nodiscard]] const placement_plan& plan() const noexcept { return seating_.plan(); }
  [[nodiscard]] const actors::engine_identity& identity() const noexcept { return identity_; }
  [[nodiscard]] std::uint16_t id() const noexcept { return identity_.number(); }
  [[nodiscard]] actors::engine_gate& gate() const noexcept { return identity_.gate(); }
  [[nodiscard]] std::uint64_t serial() const noexcept { return identity_.serial(); }
  [[nodiscard]] actors::cell_store& cells() noexcept { return cells_; }
  [[nodiscard]] actors::dead_letters& letters() noexcept { return letters_; }
  [[nodiscard]] actors::part_list& parts() noexcept { return parts_; }
  [[nodiscard]] dispatch::dispatcher& workers() noexcept { return dispatcher_; }
  [[nodiscard]] actors::timers& timed() noexcept { return timed_; }
  [[nodiscard]] const actors::disposal& disposed() const noexcept { return disposed_; }
  [[nodiscard]] sync::rundown<sync::real>& guests() noexcept { return guests_; }

  // From now on all threads tell their steps to the sink while it is on. False: there is one already, which stays.
  [[nodiscard]] bool record(std::shared_ptr<trace_sink> to) noexcept;
  [[nodiscard]] trace_sink* recorded_by() const noexcept { return recorded_.sink(); }
  // The number of workers that run now.
  [[nodiscard]] unsigned count_workers() const noexcept {
    return options_.workers == 0 ? 0 : dispatcher_.threads_of_workers();
  }
  [[nodiscard]] bool is_left_behind() const noexcept { return dispatcher_.is_left_behind(); }
  // Aborts the process if it is a forked child of the engine's process. `call`: the name of the user's call.
  void look_whether_left_behind(const char* call) const noexcept;

 private:
  [[nodiscard]] std::unique_ptr<actors::transactor> make_transactor(dispatch::worker_context& d);

  const engine_options options_;
  actors::seating seating_;
  const actors::page_placement pages_;
  const actors::engine_identity identity_;
  actors::part_list parts_;  // before all that may destroy a part
  actors::cell_store cells_;
  actors::dead_letters letters_;
  actors::reports reports_;
  actors::phase phase_;
  actors::parking parked_;
  const actors::disposal disposed_;
  actors::classic_watches classic_watches_;
  actors::run_roll runs_;
  actors::transactor* first_ = nullptr;  // of the first worker
  actors::tracing recorded_;
  actors::outside_tally outside_;
  actors::timers timed_;
  actors::census census_;
  dispatch::dispatcher dispatcher_;
  actors::outside_creations creations_;
  actors::limits limits_;
  actors::burial burial_;
  actors::intake intake_;
  actors::loop_places loop_places_;
  actors::outside_waits waits_;
  actors::sweep sweep_;
  actors::shutdown shutdown_;
  sync::waiting_rundown guests_;  // threads outside that are in a longer call
};

}  // namespace tact::detail
