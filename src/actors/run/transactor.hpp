// What runs the messages of one thread: it holds the parts that run a message, and keeps house between messages.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "actors/cells/cell_store.hpp"
#include "actors/cells/classic_watches.hpp"
#include "actors/cells/disposal.hpp"
#include "actors/common/names.hpp"
#include "actors/common/phase.hpp"
#include "actors/common/seating.hpp"
#include "actors/common/visit.hpp"
#include "actors/failure/reports.hpp"
#include "actors/figures/census.hpp"
#include "actors/figures/run_roll.hpp"
#include "actors/intake/burial.hpp"
#include "actors/intake/outside_creations.hpp"
#include "actors/life/creations.hpp"
#include "actors/life/lifecycle.hpp"
#include "actors/life/restarter.hpp"
#include "actors/life/staged_idle.hpp"
#include "actors/pressure/limits.hpp"
#include "actors/run/committer.hpp"
#include "actors/run/homing.hpp"
#include "actors/run/interpreter.hpp"
#include "actors/run/parker.hpp"
#include "actors/run/rehearser.hpp"
#include "actors/run/run_timers.hpp"
#include "actors/sending/admission.hpp"
#include "actors/sending/core_sender.hpp"
#include "actors/sending/late_sends.hpp"
#include "actors/sending/router.hpp"
#include "actors/staging/lane_front.hpp"
#include "actors/staging/reclaimer.hpp"
#include "actors/staging/run_state.hpp"
#include "actors/staging/timer_setter.hpp"
#include "actors/time/timers.hpp"
#include "actors/wait/parking.hpp"
#include "dispatch/workers/worker.hpp"
#include "fiber/thread_stack.hpp"

namespace tact::actors {

// The dispatcher brings a shard; run_lane runs its messages until the lane is empty or the budget of the hold is spent.
//
//   interpreter    runs a message: finds the behaviour, calls the handler
//   router         where a send goes                 creations      what a run creates
//   committer      how a run ends                    run_timers     what it sets and cancels
//   homing         parallel actors at home           admission      mailboxes with limits
//   lifecycle      how actors end                    core_sender    what the core tells actors, and buries
//   reclaimer      when memory is freed              parker         handlers that wait
//   rehearser      handlers that are run twice       restarter      actors that are made anew
//   late_sends     what leaves when a run is over    staged_idle    what is asked for by self.idle_after
//
// Thread safety: the thread that runs it, except the functions "from any thread" here and in the parts.
class transactor final : public dispatch::runner, public run_state, private lane_runner {
 public:
  // What the engine gives to its transactors, and these to their parts.
  struct surroundings {
    core& engine;  // for the calls of users, see core_of
    run_roll& runs;
    const engine_options& options;
    const engine_identity& identity;
    dispatch::dispatcher& workers;
    cell_store& cells;
    actors::seating& seating;
    actors::reports& reports;
    parking& parked;
    const disposal& disposed;
    const phase& progress;
    actors::classic_watches& classic_watches;
    actors::timers& timed;
    outside_creations& creations;
    limits& admitted;
    burial& buried;
    const census& counts;
    const tracing& recorded;
  };
  transactor(const surroundings& s, dispatch::worker_context& d);
  [[nodiscard]] static transactor& of(run& r) noexcept { return static_cast<transactor&>(r); }

  [[nodiscard]] router& sends() noexcept { return router_; }
  [[nodiscard]] creations& made() noexcept { return creations_; }
  [[nodiscard]] committer& commits() noexcept { return committer_; }
  [[nodiscard]] lifecycle& ends() noexcept { return lifecycle_; }
  [[nodiscard]] restarter& restarts() noexcept { return restarter_; }
  [[nodiscard]] parker& parking() noexcept { return parker_; }
  [[nodiscard]] rehearser& twice() noexcept { return rehearser_; }
  [[nodiscard]] run_timers& timers() noexcept { return timers_; }
  [[nodiscard]] core& engine() const noexcept { return engine_; }

  // -- dispatch::runner
  void run_lane(mailbox::shard& held) override;
  void end_receiver(mailbox::shard& held) noexcept override;
  [[nodiscard]] dispatch::lane_measures measures() const noexcept override;
  void publish_counters() noexcept override { counts().publish(sent()); }
  void publish_exactly() noexcept override { counts().publish_exactly(sent()); }
  [[nodiscard]] bool sees_quiet() const noexcept override { return census_.is_quiet(); }
  void on_start() noexcept override;
  void on_leave() noexcept override;
  [[nodiscard]] std::uint64_t count_handled() const noexcept override {
    return counts().now.committed + counts().now.failed + counts().now.dead;
  }
  void note(deed what) noexcept override;
  void trim() noexcept override;
  bool trim_shared() noexcept override;

  // Tells a handler that waits, which goes on, or a continuation that the engine has ended. Messages that it leaves in
  // the lane are moved to `left`. REQUIRES: no worker runs.
  void end_wait(cell& waiting, mailbox::copy_queue& left) noexcept;

  // Called in a handler of signals: see fiber::fault_witness.
  static void note_fault(int signal, const void* address) noexcept;

 private:
  [[nodiscard]] committer::parts parts(burial& buried) noexcept;
  // What this transactor counts is read from now on. One that was made in vain is never on the roll.
  void enter_roll() noexcept;
  // -- lane_runner
  void run_messages() override;
  [[nodiscard]] bool goes_on(bool look_up) override;

  [[nodiscard]] bool is_outside_kept_waiting() noexcept;
  [[nodiscard]] bool housekeep();  // false: the hold is over
  [[nodiscard]] bool is_limit_reached() noexcept;
  void keep_to_limit() noexcept;
  void look_for_sleepers();
  void tell_fault(int signal, const void* address) const noexcept;
  // A stack that a function has used up.
  struct overflow {
    std::size_t stack_bytes = 0;  // 0: none
    std::string_view remedy;
  };
  [[nodiscard]] overflow find_overflow(const void* address) const noexcept;

  core& engine_;
  run_roll& runs_;
  const census& census_;
  cell_store& store_;
  seating& seating_;
  reports& reports_;
  pinned_closures& pins_;
  actors::timers& timed_;
  router router_;
  core_sender core_sender_;
  admission admission_;
  late_sends late_sends_;
  reclaimer reclaimer_;
  creations creations_;
  timer_setter setter_;
  staged_idle idle_;
  run_timers timers_;
  lifecycle lifecycle_;
  homing homing_;
  lane_front front_;
  restarter restarter_;
  committer committer_;
  rehearser rehearser_;
  parker parker_;
  interpreter interpreter_;
  const bool joins_holds_;
  bool is_on_roll_ = false;
  std::uint64_t waiting_at_first_ = 0;  // slots that lay in the lane when the hold began, at least as many as messages
  std::uint64_t hold_ = 0;              // in which a lane was run last
  bool ending_ = false;                 // the engine has ended, and handlers that wait are told so
  fiber::thread_stack own_stack_;       // of the engine's own thread that runs this transactor, or empty
  visit visit_;                         // of the thread that runs this transactor
  run* outer_run_ = nullptr;  // what that thread ran before: it ends another engine, and runs what is left in it
};

}  // namespace tact::actors
