// The running transaction of one worker or blocking thread: it takes messages from a lane, runs their handlers, and
// commits or aborts each run.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "actors/cell.hpp"
#include "actors/cell_store.hpp"
#include "actors/core.hpp"
#include "actors/lane_stack.hpp"
#include "actors/pace.hpp"
#include "actors/rehearsal.hpp"
#include "actors/stay.hpp"
#include "actors/tally.hpp"
#include "actors/type_tallies.hpp"
#include "base/block_queue.hpp"
#include "base/reserve.hpp"
#include "dispatch/desk.hpp"
#include "dispatch/grip.hpp"
#include "dispatch/worker.hpp"
#include "fiber/fiber.hpp"
#include "mailbox/envelope.hpp"
#include "sync/system.hpp"
#include "tact/detail/particulars.hpp"
#include "tact/failure.hpp"
#include "transactions/journal.hpp"

namespace tact::actors {
struct staged_timers;
}

namespace tact::detail {

// A run of a handler takes effect as a whole at its commit, or leaves nothing (docs/protocols/commit.md).
// Invariant: what a run has staged is published only after its commit, and an abort leaves nothing of it.
// Thread safety: the worker's own thread, except the functions listed below under "from any thread".
class transactor final : public dispatch::runner, public run {
 public:
  transactor(core& engine, dispatch::desk& d);
  ~transactor() override;
  [[nodiscard]] static transactor& of(run& r) noexcept { return static_cast<transactor&>(r); }

  // -- dispatch::runner
  void run_lane(mailbox::shard& held) override;
  [[nodiscard]] bool may_join(const mailbox::shard& held) const noexcept override;
  [[nodiscard]] bool may_stay_joined(const mailbox::shard& held) noexcept override;
  void part(mailbox::shard& held) noexcept override;
  void deal_out(mailbox::office& from, mailbox::shard* into) noexcept override;
  [[nodiscard]] std::optional<std::uint32_t> first_in(mailbox::copy_queue& from) override;
  void publish_counters(bool exact) noexcept override;
  [[nodiscard]] bool sees_quiet() const noexcept override;
  void on_start() noexcept override;
  void on_leave() noexcept override;
  [[nodiscard]] std::uint64_t count_handled() const noexcept override {
    return tally_.committed + tally_.failed + tally_.dead;
  }
  void trim() noexcept override;
  void end_receiver(mailbox::shard& held) noexcept override;

  // -- for handlers, by way of tact/detail/core.hpp
  [[nodiscard]] void* stage_elsewhere(port to, const message_type& type);
  [[nodiscard]] void* stage_round(port to, const message_type& type);
  void pass_on(port to, const void* message, std::string_view name);
  void stage_become(closure& next);
  void stage_stop(ending how) noexcept { journal_.stop(how); }
  void stage_unchanged() noexcept;
  void discard() noexcept;
  // `first` may be null: then only an address is created, and install gives it its behaviour.
  [[nodiscard]] port create(closure* first, actors::route::kind kind, placement where, const loop_place& loop = {});
  [[nodiscard]] port create(closure* first, actor_kind kind, particulars&& about);
  void install(port at, closure& first);
  void owe(port customer) noexcept;
  // What the run sends and creates from here on is in this context. Returns the context that was in force before.
  const context_node* enter_context(const context_node* next) noexcept;
  void settle_debt(port customer) noexcept {
    if (same_actor(customer, debt_)) debt_ = 0;
  }
  [[nodiscard]] void* stage_timer(port to, const message_type& type, const due_time& when, const timer_again* again,
                                  timer_id& made);
  void stage_cancel(timer_id id);
  // -- for handlers that wait for an answer: transactor_park.cpp
  [[nodiscard]] port reserve_waiter(port asked);
  void end_step();
  void compare_at_wait();
  void park(port reserved, waiter& w) noexcept;
  [[noreturn]] void leave_stack(actors::lane_stack::outcome how) noexcept;
  void end_wait(actors::cell& waiting, mailbox::copy_queue& left) noexcept;
  // The last owner of an actor has gone: the order to end it is sent after the run that goes on, or at once if no lane
  // is run. False: the caller has to send the order.
  [[nodiscard]] bool end_later(port p) noexcept;
  [[nodiscard]] core& engine() noexcept { return *engine_; }
  // The worker looks up from its lane as soon as the message that it runs is over.
  void look_up_soon() noexcept { pace_.look_up_next(); }
  [[nodiscard]] actors::cell_cache& cells() noexcept { return cells_; }

  // -- from any thread
  [[nodiscard]] const actors::published_tally& counters() const noexcept { return published_; }
  [[nodiscard]] const mailbox::outbox_set& outboxes() const noexcept { return worker_->outboxes(); }
  [[nodiscard]] const actors::type_tallies& types() const noexcept { return types_; }
  [[nodiscard]] std::uint64_t waits_begun() const noexcept { return waits_begun_.read(); }
  [[nodiscard]] std::uint64_t waits_ended() const noexcept { return waits_ended_.read(); }
  [[nodiscard]] std::uint64_t timers_set() const noexcept { return timers_set_.read(); }
  [[nodiscard]] std::uint64_t timers_cancelled() const noexcept { return timers_cancelled_.read(); }
  // What this thread runs at the moment, as far as can be told: empty or "account handling tact::request<balance>".
  [[nodiscard]] std::string running_now() const;
  // For people: "worker 3" or "the thread of a blocking actor".
  [[nodiscard]] std::string name() const;

 private:
  enum class outcome : unsigned char { done, again, forward };

  void run_messages();
  // Called when a message is over. False: the hold is over too.
  [[nodiscard]] bool goes_on(bool look_up);
  // These run messages on lane stacks, which are put aside while handlers wait.
  [[nodiscard]] static bool may_park() noexcept;
  void run_on_stacks();
  static void run_on(void* stack);
  [[nodiscard]] bool goes_on_behind_wait();
  // For reports: the message that the actor `who` handles now.
  [[nodiscard]] std::string_view message_now(port who) const noexcept;
  // Called in a handler of signals: see fiber::fault_witness.
  static void note_fault(int signal, const void* address) noexcept;
  void tell_fault(int signal, const void* address) const noexcept;
  [[nodiscard]] fiber::fiber& dispatching_stack() noexcept;
  void put_aside(actors::lane_stack& s) noexcept;
  void commit_segment();
  void keep_for_later(mailbox::envelope& e, actors::lane_stack& s) noexcept;
  [[nodiscard]] bool closes_circle(mailbox::envelope& e, actors::lane_stack& s) noexcept;
  void resume(mailbox::envelope& e, actors::cell& c, closure& b);
  void commit_last_segment(actors::lane_stack& s);
  void clear_away(actors::lane_stack& s) noexcept;
  [[nodiscard]] static bool failed_behind_wait();
  void enter_user_code(bool inside) noexcept;
  void note_parked(const actors::lane_stack& s, sync::event what) noexcept;
  // Runs messages of the chunk that is read. True: it is time to look up from the lane.
  [[nodiscard]] bool run_some(mailbox::copy_queue& from);
  // `Observed`, here and below: the run is observed by a simulation, or by a rehearsal, which runs handlers of
  // transactional actors twice.
  template <bool Observed>
  [[nodiscard]] bool run_chunk(mailbox::copy_queue& from);
  [[nodiscard]] bool call_twice(mailbox::envelope& e, actors::cell& c, closure& b, entry handler);
  void rehearse(mailbox::envelope& e, closure& b, entry handler);
  void compare(const actors::staging& second, const behavior_type& type, const mailbox::envelope& e) noexcept;
  [[nodiscard]] bool run_simulated(mailbox::copy_queue& from);
  [[nodiscard]] entry handler_of(const closure& b, const mailbox::envelope& e) const noexcept {
    return simulation_ == nullptr ? b.type->entries[actors::index_of(e.target())] : &call_simulated;
  }
  static void call_simulated(closure& b, run& r, void* message);
  // Runs a message; returns where the next one begins. `Plain`: whether the envelope says that it is plain.
  template <bool Observed>
  [[nodiscard]] mailbox::envelope* dispatch_next(mailbox::envelope& e);
  [[nodiscard]] mailbox::envelope* dispatch_observed(mailbox::envelope& e);
  template <bool Plain, bool Observed>
  [[nodiscard]] mailbox::envelope* dispatch(mailbox::envelope& e);
  template <bool Plain, bool Observed>
  void dispatch_at_home(mailbox::envelope& e, actors::cell& c, actors::cell::word_value seen);
  // The same for a message that cannot just be run where it is.
  void dispatch_other(mailbox::envelope& e, actors::cell& c);
  // Calls the handler. False: it threw an exception, and the failure has been dealt with.
  template <bool Plain>
  [[nodiscard]] bool call(mailbox::envelope& e, actors::cell& c, closure& b, entry handler);
  template <bool Plain, bool Observed>
  [[nodiscard]] bool call_behavior(mailbox::envelope& e, actors::cell& c, closure& b);
  // The same for a failure notice or a pill. False: nothing more has to be done for the message.
  [[nodiscard]] bool call_special(mailbox::envelope& e, actors::cell& c, closure& b);
  // Decides about a message that is not simply run where it is: one for a one-shot, or one that belongs home.
  [[nodiscard]] outcome divert(mailbox::envelope& e, actors::cell& c, actors::cell::word_value seen);
  void run_once(mailbox::envelope& e, actors::cell& c, closure& b);
  // Carries out what the run has staged besides its sends.
  [[nodiscard]] outcome settle(mailbox::envelope& e, actors::cell& c, actors::cell::word_value seen);
  void settle_rest(mailbox::envelope& e);
  // Runs the message once more after a collision, or forwards it.
  void run_again(mailbox::envelope& e, actors::cell& c, outcome o);
  [[nodiscard]] outcome collided(mailbox::envelope& e, actors::cell& c);
  // -- a parallel actor at home
  void go_home(actors::cell& c) noexcept;
  [[nodiscard]] bool becomes_alone(const actors::cell& c) noexcept;
  [[nodiscard]] bool may_run_away(const mailbox::envelope& e, const actors::cell& c) const noexcept;
  [[nodiscard]] outcome settle_away(mailbox::envelope& e, actors::cell& c);
  [[nodiscard]] bool stays_open(unsigned index, actors::cell& c, bool became) noexcept;
  void ran_at_home(unsigned index, actors::cell& c, actors::cell::word_value seen) noexcept;
  [[nodiscard]] bool holds(std::uint32_t shard) const noexcept { return worker_->held().has(shard); }
  [[nodiscard]] std::uint32_t outbox_for(std::uint32_t shard) const noexcept {
    return engine_->workers().outbox_for(shard);
  }
  [[nodiscard]] bool is_home(const actors::cell& c) const noexcept { return holds(c.where().shard()); }

  void failed(mailbox::envelope& e, actors::cell& c, const behavior_type& t) noexcept;
  // `what`: the text of the exception by which the actor failed; null if it ends for another reason.
  void end_from_elsewhere(actors::cell& c, port at, ending how, const std::string* what) noexcept;
  void end_actor(actors::cell& c, closure& last, ending how, const std::string* what = nullptr) noexcept;
  void bid_farewell(actors::cell& c, ending how, const std::string* what) noexcept;
  // Carries out the order to watch, the only order of the core that ends no actor.
  [[nodiscard]] outcome watch(mailbox::envelope& e, actors::cell& c, actors::cell::word_value seen);
  void tell_watcher(watcher& w, ended&& e) noexcept;
  void end_owned() noexcept;
  // This run has replaced the closure of `seen`, and disposes of it.
  void replaced(actors::cell& c, actors::cell::word_value seen) noexcept;
  // True: no other thread changes the word, so it stays as it was seen until this run is over.
  [[nodiscard]] bool nobody_else_changes(actors::cell::word_value seen) const noexcept {
    return alone_ || seen.is_home();
  }
  [[nodiscard]] bool change(actors::cell& c, actors::cell::word_value seen) noexcept;
  // Ends a closure that no worker sees any more. Only handlers that wait for an answer may still need it.
  void end_behavior(closure& old) noexcept;
  // Frees what other workers may still be looking at, when all of them have moved on.
  void retire(closure& old) noexcept;
  void retire(actors::cell& c) noexcept;
  void retire_of_member(actors::cell& c, closure& old) noexcept;
  void hasten() noexcept;
  void retire_with_papers(actors::cell& c, bool leaves_scope) noexcept;
  void retire_shared(closure& old) noexcept;
  void retire_shared(actors::cell& c) noexcept;
  void retire_shared(void* object, dispatch::epochs::finalizer fin, void* with) noexcept;
  void give_up(actors::cell& c, bool served = false) noexcept;

  [[nodiscard]] port create_other(closure* first, actors::route::kind kind, placement where, const loop_place& loop);
  // REQUIRES: there is a free cell, and room in the journal.
  [[nodiscard]] port create_at(std::uint32_t home, closure* first, actors::route::kind kind) noexcept;
  [[nodiscard]] port create_apart(closure* first, actors::route::kind kind, placement where, const loop_place& loop);
  // The actor that is created is run in the shard of this lane, whichever thread sends to it.
  [[nodiscard]] port create_coming_home(closure* first) noexcept;
  [[nodiscard]] void* stage_exclusive(std::uint32_t shard, unsigned slots);
  [[nodiscard]] bool joins(std::uint32_t shard) noexcept;
  [[nodiscard]] void* stage_parallel(actors::route r, unsigned slots);
  [[nodiscard]] void* stage_spread(unsigned slots);
  [[nodiscard]] std::uint64_t for_others(const mailbox::copy_queue& queue) const noexcept;
  [[nodiscard]] void* place_for(port to, unsigned slots);
  // -- mailboxes with limits
  [[nodiscard]] bool is_counted_here(port to) const noexcept;
  [[nodiscard]] void* place_let_in(port to, unsigned slots);
  [[nodiscard]] void* stage_for_core(port to, const message_type& type);
  void let_in(mailbox::envelope& e) noexcept;
  void keep(actors::limited_mailbox& m, mailbox::envelope& e) noexcept;
  void lose(mailbox::envelope& e, failure_reason reason) noexcept;
  void lose(const actors::kept_messages::kept& k, failure_reason reason) noexcept;
  [[nodiscard]] bool redeem(mailbox::envelope& token) noexcept;
  void close_mailbox(actors::cell& c) noexcept;
  void tear_up(actors::cell& c) noexcept;
  void unload(mailbox::envelope& e) noexcept;
  [[nodiscard]] void* place_round(port to, unsigned slots);
  [[nodiscard]] void* stage_in_context(port to, const message_type& type,
                                       void* (transactor::*find_place)(port, unsigned));
  // From now on sends that stay in this lane are written there without another look.
  void keep_all() noexcept;
  // From now on every send is looked at until the run is over.
  void look_at_all() noexcept;
  void look_at_every_send() noexcept;
  // Throws usage_error when no lane is run, so that no handler can be the caller.
  void look_whether_in_handler() const;
  // While a worker sleeps, each send to a parallel actor is looked at: that worker may be the one to run it.
  void look_at_parallel() noexcept { parallel_key = nobodys; }
  // The message that is run: it stays at the front of the lane until its run is over.
  [[nodiscard]] mailbox::envelope& handled() noexcept {
    return resumed_ == nullptr ? shard_->lane.front() : *resumed_->message;
  }
  void send_abroad() noexcept;
  void end_message(mailbox::envelope& e) noexcept;
  void install_created() noexcept;
  void commit_rest();  // creations, debt, messages to other engines
  void commit_rare() noexcept;
  void forget_run() noexcept;
  void settle_run() noexcept;
  void abort(bool installed = false) noexcept;
  void end_installed(actors::cell& c, port at) noexcept;
  // -- timers
  [[nodiscard]] actors::staged_timers& staged_timers();
  void commit_timers() noexcept;
  void set_timers() noexcept;
  void cancel_timers() noexcept;
  void abort_timers() noexcept;
  void pay_debt() noexcept;
  void tell(port customer, failure&& f) noexcept;
  // `text`: what the message's customer is told, if the reason alone does not say enough.
  void drop(mailbox::envelope& e, failure_reason reason, std::string text = {}) noexcept;
  void forward(mailbox::envelope& e, const actors::cell& c) noexcept;
  template <bool Plain>
  void finish(mailbox::envelope& e) noexcept {
    if (!Plain && e.needs_end()) end_message(e);
    ++tally_.committed;
  }

  [[nodiscard]] bool is_outside_kept_waiting() const noexcept;
  [[nodiscard]] bool housekeep();  // false: the hold is over
  [[nodiscard]] bool turn_is_over() noexcept;
  void keep_to_turn() noexcept;
  void look_for_helpers();
  void share();
  void flush();
  void flush_if_due();
  void adopt_withdrawn() noexcept;

  core* const engine_;
  sync::system* const simulation_;      // the simulation in which the engine runs; nearly always null
  const std::uint64_t exclusive_base_;  // the value of run::base while sends need no look
  dispatch::desk* const worker_;
  transactions::journal journal_;
  actors::cell_cache cells_;
  const dispatch::idle_set* const idle_;
  unsigned last_helper_ = 0;         // the sleeping worker that was given a message last
  std::uint32_t sent_round_ = 0;     // counts messages that went to the next shard, round over all of them
  bool flush_soon_ = false;          // a sleeping worker was given a message that is not published yet
  std::uint64_t sent_in_run_ = 0;    // messages that this run sent to parallel actors while a worker slept
  mailbox::shard* shard_ = nullptr;  // the first of the shards that are held now
  port debt_ = 0;                    // the customer to whom this run still owes an answer
  port owed_ = 0;              // the customer to whom it owed one when it began, also when that was answered since
  bool looks_at_all_ = false;  // every send of this run is looked at, and keep_all must not stop that
  mailbox::envelope* passed_on_ = nullptr;  // the envelope that gets the payload of the handled message at the commit
  std::vector<std::uint32_t> blocking_homes_;  // shards for blocking actors that this run has taken
  base::block_queue<port> made_in_scopes_;     // members of scopes that this run has created
  base::block_queue<port> without_owner_;      // actors whose last owner has gone: they are ended between two runs
  bool runs_lane_ = false;
  bool fetches_behaviors_ = false;
  fiber::fiber thread_;                // the stack of the thread itself
  fiber::exception_place exceptions_;  // where the thread that runs the lane keeps its exceptions
  actors::lane_stacks stacks_;
  actors::lane_stack* parked_ = nullptr;   // its handler has just begun to wait; not committed yet
  actors::lane_stack* resumed_ = nullptr;  // a handler goes on there after a wait
  mailbox::copy_queue back_;  // messages that were put aside for an actor whose handler does not wait any more
  std::unique_ptr<actors::pinned_closures::entry> spare_pin_;
  bool ending_ = false;                         // the engine has ended, and handlers that wait are told so
  bool rehearsing_ = false;                     // the run that goes on is a rehearsal: it will be undone
  bool rehearsal_over_ = false;                 // the rehearsal has come to the place where the handler would wait
  struct rehearsal_ends {};                     // thrown at that place
  std::unique_ptr<actors::staging> rehearsed_;  // what the rehearsal staged, until it is compared
  unsigned planted_before_ = 0;                 // how many failures the simulation had planted before the rehearsal
  // True: no other thread ever looks at a closure that this one replaces or ends, and none needs a cell to stay as it
  // is, so both can be freed at once. This holds for the only worker even beside threads of blocking actors: those look
  // at closures of their own actors only, and read the cells of others as threads outside do, whose messages a worker
  // checks again.
  const bool alone_;
  const placement apart_from_;  // for this placement and all after it, creating an actor takes more than the next shard
  const bool is_pumped_;        // threads outside pump the engine, each for a turn
  actors::pace pace_;
  std::uint64_t waiting_at_first_ = 0;  // slots that lay in the lane when the hold began, at least as many as messages
  unsigned looks_at_idle_ = 0;          // look-ups in a row at which a worker slept that had better help
  const bool joins_;
  const bool rehearses_;
  const unsigned home_stretch_;
  std::uint64_t apart_until_ = 0;  // shards are not held together again before so many messages are committed
  actors::tally tally_;
  actors::type_tallies types_;
  dispatch::grip<sync::real> grip_;
  // The parallel actor whose becomes were committed here in a row, and how many messages had been committed when the
  // row began.
  struct {
    const actors::cell* actor = nullptr;
    std::uint64_t since = 0;
    unsigned times = 0;
  } becoming_;
  unsigned runs_away_ = 0;                  // runs here of messages for actors that are at home elsewhere
  const std::string* pill_text_ = nullptr;  // the text of the failure that the handled pill was sent for

  // The type of the failure notice that is handled now, null if there is none; for reports. relaxed throughout: hint.
  sync::atomic<const message_type*> special_{nullptr};
  alignas(64) actors::published_tally published_;
  sync::owned_counter waits_begun_;
  sync::owned_counter waits_ended_;
  sync::owned_counter timers_set_;
  sync::owned_counter timers_cancelled_;
  std::unique_ptr<actors::staged_timers> timers_;  // null until the first timer is staged

  actors::stay stay_;         // of the thread that runs this transactor
  run* outer_run_ = nullptr;  // what that thread ran before: it ends another engine, and runs what is left in it
  port asked_ = 0;            // the actor whose answer the handler is about to wait for
};

template <class F>
void core::for_each_run(F f) const {
  for (const auto& w : dispatcher_.workers()) f(static_cast<const transactor&>(w->running()), w->counters());
  for (const auto& h : dispatcher_.helpers()) f(static_cast<const transactor&>(h->running()), h->counters());
  dispatcher_.for_each_blocking(
      [&](const dispatch::blocking_thread& t) { f(static_cast<const transactor&>(t.running()), t.counters()); });
}

}  // namespace tact::detail
