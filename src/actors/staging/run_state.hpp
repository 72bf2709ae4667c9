// The state of the run that goes on: its lane and its message, what it has staged and what it still owes.
#pragma once

#include <cstdint>
#include <utility>

#include "actors/cells/cell.hpp"
#include "actors/cells/cell_store.hpp"
#include "actors/common/names.hpp"
#include "actors/counts/run_counts.hpp"
#include "actors/staging/debt.hpp"
#include "actors/staging/message_place.hpp"
#include "actors/staging/staging_filter.hpp"
#include "actors/trace/observation.hpp"
#include "dispatch/dispatcher.hpp"
#include "dispatch/exchange/hazard_slot.hpp"
#include "dispatch/holding/sleepers.hpp"
#include "dispatch/holding/worker_context.hpp"
#include "dispatch/policy/cost_meter.hpp"
#include "mailbox/envelope.hpp"
#include "sync/system.hpp"
#include "transactions/journal.hpp"

namespace tact::actors {

// What became of a run, and what its message needs next.
enum class run_outcome : unsigned char {
  done,     // it is committed
  again,    // it has collided, and is run once more here
  forward,  // it has to be run by the worker that holds the actor's home shard
};

// Ends what is in a message that was run.
void end_message(mailbox::envelope& e) noexcept;

// What the parts of a transactor share. Invariant: while the run owes an answer or has a context of its own, every send
// is looked at. Thread safety: the thread of the transactor only, except counters and types.
class run_state : public staging_filter {
 public:
  // `engine`: its number.
  run_state(std::uint16_t engine, const engine_options& options, dispatch::dispatcher& workers, cell_store& cells,
            dispatch::worker_context& d, const actors::tracing& recorded);
  run_state(const run_state&) = delete;
  run_state& operator=(const run_state&) = delete;

  // Each run that goes on is one of these.
  [[nodiscard]] static run_state& of(run& r) noexcept { return static_cast<run_state&>(r); }

  [[nodiscard]] std::uint16_t engine_number() const noexcept { return engine_number_; }
  // True: the actor is one of this engine.
  [[nodiscard]] bool lives_here(port p) const noexcept { return lives_in(p, engine_number_); }
  [[nodiscard]] dispatch::dispatcher& workers() const noexcept { return *workers_; }
  [[nodiscard]] dispatch::worker_context& worker() const noexcept { return *worker_; }
  [[nodiscard]] sync::director* simulation() const noexcept { return simulation_; }  // nearly always null
  [[nodiscard]] transactions::journal& journal() noexcept { return journal_; }
  [[nodiscard]] dispatch::cost_meter& meter() noexcept { return meter_; }
  // What the dispatcher decides by. `joins`: this thread may hold several shards at a time.
  [[nodiscard]] dispatch::lane_measures measured(bool joins) const noexcept {
    return {meter_, sleepers_, counts_.now.committed, joins};
  }
  [[nodiscard]] dispatch::hazard_slot<sync::real>& hazard_slot() noexcept { return hazard_slot_; }

  // True: no other thread ever looks at a closure that this one replaces or ends, and none needs a cell to stay as it
  // is, so both are freed at once. This holds for the only worker, even beside threads of blocking actors: these look
  // at closures of their own actors only, and read the cells of others as threads outside do, whose messages a worker
  // checks again.
  [[nodiscard]] bool is_alone() const noexcept { return alone_; }
  [[nodiscard]] bool is_pumped() const noexcept { return is_pumped_; }
  // True: no other thread changes the word, so it stays as it was seen until the run is over.
  [[nodiscard]] bool is_sole_writer(cell::word_value seen) const noexcept { return alone_ || seen.is_home(); }

  [[nodiscard]] cell_cache& cells() noexcept { return cells_; }

  // -- from any thread
  [[nodiscard]] run_counts& counts() noexcept { return counts_; }
  [[nodiscard]] const run_counts& counts() const noexcept { return counts_; }
  // The link of run_roll.
  [[nodiscard]] sync::atomic<run_state*>& next_in_roll() noexcept { return next_in_roll_; }
  [[nodiscard]] const sync::atomic<run_state*>& next_in_roll() const noexcept { return next_in_roll_; }
  // For reports: the type of the failure notice that is handled now, null if there is none.
  // relaxed: hint, may belong to the next message already.
  [[nodiscard]] const message_type* special() const noexcept { return special_.load(std::memory_order_relaxed); }

  // -- the lane
  void enter_lane(mailbox::shard& held) noexcept;
  void leave_lane() noexcept;
  // Looks whether nearly all that was sent lately stayed in the lane: see run::expected.
  void look_at_traffic() noexcept;
  [[nodiscard]] bool holds(std::uint32_t shard) const noexcept { return worker_->held().has(shard); }
  [[nodiscard]] bool is_home(const cell& c) const noexcept { return holds(c.where().shard()); }

  // -- the message that is run
  [[nodiscard]] message_place& at() noexcept { return at_; }
  // Notes the type of the failure notice that is handled now, null if there is none; for reports.
  // relaxed: hint.
  void note_special(const message_type* type) noexcept { special_.store(type, std::memory_order_relaxed); }
  // Throws usage_error when no lane is run, so that no handler can be the caller.
  void look_whether_in_handler() const;

  // -- what it owes
  // From now on the run owes this customer an answer, and every send is looked at, because it may be that answer.
  void owe(port customer) noexcept;
  // What the run makes to hear an answer owes this customer one, until the run sends to it.
  void inherit(port customer) noexcept;
  [[nodiscard]] actors::debt& debt() noexcept { return debt_; }
  [[nodiscard]] dispatch::sleepers& sleepers() noexcept { return sleepers_; }
  // A worker sleeps, and messages that any worker may run may be worth their way to it.
  [[nodiscard]] bool may_spread() const noexcept { return sleepers_.any() && meter_.is_worth_spreading(); }
  // What the run sends and creates from here on is in this context. Returns the context that was in force before.
  const context_node* enter_context(const context_node* next) noexcept;

  // What looks on, which is no part of the run. Any thread.
  [[nodiscard]] actors::observation& watched() const noexcept { return watched_; }
  // From now on what is sent is recorded, as coming of the message of this number, which is handled; null: it is not.
  void trace_by(detail::trace_track* by, std::uint64_t id = 0) noexcept;

  // What was staged has been thrown away, and the handler goes on.
  void begin_again() noexcept;
  // The run has committed: ends its message, and counts it. `Plain`: the envelope says that it is plain.
  template <bool Plain>
  void finish(mailbox::envelope& e) noexcept {
    if (!Plain && e.needs_end()) end_message(e);
    ++counts_.now.committed;
  }
  // The run is over: forgets all that is kept of it here; conclude also concludes the journal.
  void forget() noexcept;
  void conclude() noexcept {
    forget();
    journal_.conclude();
  }

 private:
  void look_at_all_sends() noexcept;

  static constexpr std::uint64_t looks_after = 256;   // messages that were sent
  static constexpr std::uint64_t stays_most_of = 16;  // of so many messages one may leave

  dispatch::dispatcher* const workers_;
  dispatch::worker_context* const worker_;
  sync::director* const simulation_;
  const bool alone_;
  const bool is_pumped_;  // threads outside pump the engine, for a while each
  const std::uint16_t engine_number_;
  // It is counted down at each message, so it lies in the object that the loop over messages has in a register.
  dispatch::cost_meter meter_;
  transactions::journal journal_;
  message_place at_;
  bool sends_stay_ = true;
  std::uint64_t sent_at_look_ = 0;  // when look_at_traffic decided last, as the next one
  std::uint64_t away_at_look_ = 0;
  actors::debt debt_;
  dispatch::sleepers sleepers_;
  run_counts counts_;
  dispatch::hazard_slot<sync::real> hazard_slot_;
  sync::atomic<const message_type*> special_{nullptr};
  sync::atomic<run_state*> next_in_roll_{nullptr};
  mutable actors::observation watched_;
  cell_cache cells_;
};

}  // namespace tact::actors
