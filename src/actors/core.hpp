// An engine: a dispatcher whose workers run actors, the cells of its actors, and its end.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "actors/cell_store.hpp"
#include "actors/dead_letters.hpp"
#include "actors/failures.hpp"
#include "actors/leftovers.hpp"
#include "actors/limited_mailbox.hpp"
#include "actors/pinned_closures.hpp"
#include "actors/reports.hpp"
#include "actors/survivors.hpp"
#include "actors/tally.hpp"
#include "actors/timers.hpp"
#include "actors/waits.hpp"
#include "base/blocks.hpp"
#include "dispatch/dispatcher.hpp"
#include "fiber/stack_pool.hpp"
#include "sync/lock.hpp"
#include "tact/detail/core.hpp"
#include "tact/detail/loop_place.hpp"
#include "tact/detail/patience.hpp"
#include "tact/engine_options.hpp"
#include "tact/mailbox_limit.hpp"
#include "tact/placement.hpp"
#include "tact/statistics.hpp"

namespace tact::detail {

class transactor;

// What became of a message from outside; it is counted as sent, but as said.
enum class reception : unsigned char {
  taken,      // it is in its shard
  nowhere,    // the target has ended
  refused,    // the engine has ended
  elsewhere,  // the target lives in another engine, and nothing was done yet
  // There is no room, and nothing was done yet:
  full,
  late,     // and the sender's patience has ended
  dropped,  // and the sender is not to know
};

// Thread safety: everything here may be called from any thread, except as said.
class core {
 public:
  explicit core(const engine_options& options);  // throws tact::option_error
  core(const core&) = delete;
  core& operator=(const core&) = delete;
  ~core();

  // -- actors
  // A cell for an actor created outside, with its home shard.
  [[nodiscard]] port reserve(actors::route::kind kind, placement where, const loop_place& loop, bool has_limit = false);
  // The shard for a heavy or blocking actor, or one on a loop; none: an ordinary one. Throws tact::usage_error when
  // there are too many blocking actors, and for a loop that has ended or is of another engine; std::system_error when
  // the system gives no thread.
  [[nodiscard]] std::optional<std::uint32_t> kept_home(placement where, const loop_place& loop);
  void create(actors::cell& c, closure& first) noexcept;
  [[nodiscard]] bool withdraw(port asker) noexcept;
  // Gives up a cell that holds no actor. Threads outside have no grace period of their own: a worker retires it.
  void abandon(actors::cell& c, bool served) noexcept;
  [[nodiscard]] actors::cell* take_withdrawn() noexcept;

  // -- messages from outside
  // `round`: to a parallel actor by way of the next shard, without regard to who sleeps.
  // Throws std::bad_alloc: then nothing was sent, and the payload was ended.
  void post(port to, const message_type& type, void* payload, bool round = false);
  // The same, as patient as said. full: the payload is still the caller's.
  [[nodiscard]] send_result try_post(port to, const message_type& type, void* payload, const patience& p);
  // The same in two steps: what comes between is done when the message is counted, and no user's code has run. What was
  // not taken goes to bury_timed, wherever its payload lies by then.
  [[nodiscard]] reception receive_timed(port to, const message_type& type, void* payload) noexcept;
  void bury_timed(reception how, port to, const message_type& type, void* payload) noexcept;
  // Of a request that was not sent, and will not be.
  void tell_unserved(port customer, failure&& f) noexcept;
  // A message that nobody will handle: it is destroyed, its customer told. Counting is up to the caller, who passes how
  // a failure notice is to be sent.
  template <class SendFailure>
  void bury(port to, const message_type& type, void* payload, failure_reason reason, SendFailure send_failure) noexcept;

  // -- mailboxes with limits: docs/protocols/pressure.md
  // It waits no more, in the mailboxes in which its marks say that it is counted.
  void leave_rooms(mailbox::envelope& e) noexcept;
  void leave_rooms(port to, std::uint64_t marks, std::uint64_t bytes) noexcept;
  // Wakes who waits for room. The caller has made it, or ended the actor.
  void tell_of_room() noexcept;
  void count_refused(port to) noexcept;
  // A dead letter, and a message sent if that was not counted yet.
  void count_lost(bool as_sent) noexcept;

  // -- loops: docs/protocols/loop.md
  [[nodiscard]] std::uint32_t open_loop(std::function<void()> wake);
  void close_loop(std::uint32_t place) noexcept;
  [[nodiscard]] dispatch::pump::amount pump_loop(std::uint32_t place, std::uint64_t most, deadline until) noexcept;

  // -- waiting and ending
  [[nodiscard]] bool is_quiet() const noexcept;
  // `call`: is made; without a deadline a line on stderr says in between for whom it waits.
  [[nodiscard]] bool wait_quiet(deadline until, bool and_no_actor, const char* call) noexcept;
  // For a thread that asks `asked`.
  [[nodiscard]] bool wait_told(wait_word& told, deadline until, port asked) noexcept;
  [[nodiscard]] bool is_told_soon(const wait_word& told) const noexcept;
  // Without workers; all throw tact::usage_error when that is not so, and when another thread does it.
  [[nodiscard]] dispatch::pump::amount run_some(std::uint64_t most, deadline until);
  void run();
  void run_until_idle();
  void quit_run();
  // -- workers
  // That run now.
  [[nodiscard]] unsigned count_workers() const noexcept { return options_.workers == 0 ? 0 : dispatcher_.running(); }
  // Throws tact::usage_error when there cannot be so many, std::system_error when the system gives no thread. False: a
  // simulation cannot go on.
  [[nodiscard]] bool set_workers(unsigned count);
  // Throws tact::usage_error when nobody may help.
  void look_whether_help_is_wanted() const;
  // The calling thread works until it has been told, or nothing waits to be run.
  void help_until_told(const wait_word& told) noexcept;
  [[nodiscard]] bool drain(deadline until) noexcept;
  [[nodiscard]] bool cancel(deadline until) noexcept;
  // -- the destructor of the engine: docs/ends.md
  void finish() noexcept;
  // On a thread that is inside of the engine: another one will finish it.
  void prepare_end_elsewhere() noexcept;
  // On a thread that ends the process: nobody will finish it.
  void leave_to_process_end() noexcept;
  // The process ends, and nobody has ended the engine.
  void tell_of_process_end() noexcept;
  // In a child of the process in which the engine lives, whose threads are not here: it ends, as far as it can.
  void leave_behind() noexcept;
  [[nodiscard]] bool is_left_behind() const noexcept { return dispatcher_.is_left_behind(); }
  // Ends the process if it is that child.
  void look_whether_left_behind(const char* call) const noexcept;
  // Ends what was created after the end, unless the end goes on.
  void sweep_late() noexcept;
  [[nodiscard]] std::string still_running();
  [[nodiscard]] std::string actors_by_type();
  [[nodiscard]] std::string waiting_actors();

  [[nodiscard]] statistics read_statistics() const;
  [[nodiscard]] std::vector<worker_statistics> read_worker_statistics() const;
  [[nodiscard]] std::vector<type_statistics> read_type_statistics();
  [[nodiscard]] std::vector<std::uint64_t> read_shard_depths() const;
  [[nodiscard]] std::vector<mailbox_depth> read_fullest(std::size_t most);
  [[nodiscard]] const engine_options& options() const noexcept { return options_; }
  [[nodiscard]] const placement_plan& plan() const noexcept { return plan_; }
  // The calling thread is that worker from now on: it stays on its seat when that was asked for.
  void seat_worker(unsigned worker) noexcept;
  // The calling thread is that of a blocking actor: it has no seat, also when a worker that stays on one started it.
  void seat_nowhere() const noexcept;
  [[nodiscard]] std::uint16_t id() const noexcept { return identity_.number(); }
  [[nodiscard]] actors::engine_gate& gate() const noexcept { return identity_.gate(); }
  [[nodiscard]] std::uint64_t serial() const noexcept { return identity_.serial(); }
  [[nodiscard]] actors::cell_store& cells() noexcept { return cells_; }
  [[nodiscard]] actors::dead_letters& letters() noexcept { return letters_; }
  [[nodiscard]] actors::reports& reports() noexcept { return reports_; }
  [[nodiscard]] dispatch::dispatcher& workers() noexcept { return dispatcher_; }
  [[nodiscard]] actors::timers& timed() noexcept { return timed_; }
  [[nodiscard]] fiber::stack_pool& stacks() noexcept { return stacks_; }
  [[nodiscard]] actors::pinned_closures& pins() noexcept { return pins_; }
  [[nodiscard]] actors::waits& waits() noexcept { return waits_; }
  // No worker is left, and nobody waits any more.
  [[nodiscard]] bool has_ended() const noexcept { return no_workers_.load(); }

 private:
  // Calls f(const transactor&, const dispatch::worker_counters&) for every thread that runs actors.
  template <class F>
  void for_each_run(F f) const;
  [[nodiscard]] std::uint64_t actors_alive() const noexcept;
  void read_waits(statistics& s) const;
  void read_timers(statistics& s) const;
  struct entrance;
  [[nodiscard]] reception receive(port to, const message_type& type, void* payload, bool round, const patience& p);
  [[nodiscard]] reception receive_limited(port to, const message_type& type, void* payload, bool round,
                                          const patience& p);
  void open_limits() noexcept;
  void wait_for_room(entrance& e, deadline until) noexcept;
  [[nodiscard]] reception put_marked(const entrance& e, const message_type& type, void* payload, bool round);
  [[nodiscard]] reception put_parcel(const entrance& e, const message_type& type, mailbox::parcel& p, bool round);
  [[nodiscard]] reception keep(actors::limited_mailbox& m, const actors::kept_messages::kept& message);
  void send_token(actors::limited_mailbox& m, port to) noexcept;
  void bury_kept(const actors::kept_messages::kept& k, failure_reason reason) noexcept;
  void close_mailbox(actors::cell& c) noexcept;
  [[nodiscard]] reception refuse(const message_type& type) noexcept;
  void bury_received(reception how, port to, const message_type& type, void* payload) noexcept;
  // `call` is the user's.
  void call_loop(const std::function<void()>& call) noexcept;
  [[nodiscard]] std::optional<std::uint32_t> home_on(const loop_place& loop);
  [[nodiscard]] dispatch::pump& pump_for(const char* call);
  void close() noexcept;
  [[nodiscard]] reception receive_in_context(const context_node& c, port to, const message_type& type, void* payload,
                                             bool round);
  [[nodiscard]] bool put_in(port to, const message_type& type, void* payload, bool round, mailbox::parcel* apart);
  // The same, as a function.
  [[nodiscard]] bool put_apart(port to, const message_type& type, void* payload, bool round, mailbox::parcel* apart);
  void bury_unhandled(port to, const message_type& type, void* payload, failure_reason reason) noexcept;
  void bury_outside(port to, const message_type& type, void* payload, failure_reason reason) noexcept;
  void bury_order(port to, const message_type& type, void* payload, failure_reason reason) noexcept;
  void tell_watcher(watcher& w, port ended_one, end_reason why) noexcept;
  void sweep() noexcept;
  void resume_waiters() noexcept;
  void bury_all(mailbox::copy_queue& queue, mailbox::chunk_store& chunks) noexcept;
  void sweep_messages() noexcept;
  void bury_left(mailbox::envelope& e) noexcept;
  void sweep_actors() noexcept;
  void tell_askers() noexcept;
  void tell_asker(actors::cell& asker, failure f) noexcept;
  void report_overdue(const char* what) noexcept;
  [[nodiscard]] bool wait_until_quiet(deadline until, bool and_no_actor) noexcept;
  [[nodiscard]] bool wait_until_told(wait_word& told, deadline until) noexcept;
  const engine_options options_;
  const placement_plan plan_;
  const actors::engine_identity identity_;
  actors::cell_store cells_;
  actors::dead_letters letters_;
  actors::reports reports_;
  fiber::stack_pool stacks_;  // on which handlers run that may wait
  actors::pinned_closures pins_;
  actors::waits waits_;
  actors::timers timed_;
  dispatch::dispatcher dispatcher_;
  actors::outside_tally outside_;
  // Routes from here on are of actors whose mailbox has a limit; with a limit for threads outside, all.
  std::uint64_t looked_at_from_ = actors::route::counted_bit;
  actors::room<sync::real> brought_;  // closed without a limit for threads outside
  sync::eventcount<sync::real> room_made_;
  sync::atomic<std::uint64_t> refused_{0};
  sync::atomic<actors::cell*> withdrawn_{nullptr};  // a list by next_withdrawn; taken as a whole
  sync::lock<sync::real> end_lock_;                 // one thread ends the engine, and may wait for others meanwhile
  bool swept_ = false;                              // guarded by end_lock_
  bool overdue_ = false;                            // guarded by end_lock_: what is left was not dropped on purpose
  bool tells_timers_ = false;                       // the same of timers that are set
  actors::leftovers left_;                          // guarded by end_lock_
  actors::survivors alive_;                         // at the end, if that is to be reported; written by who sweeps
  sync::atomic<bool> is_cut_off_{false};            // its destructor could not run what is left
  sync::atomic<bool> pinning_refused_{false};       // and said so
  // Set once, before the actors are swept: from now on a thread that asks is told by whoever buries its request. An ask
  // that still found it false had counted its request before, so the sweep, which waits for quiet, finds its asker.
  sync::atomic<bool> no_workers_{false};
  sync::atomic<bool> closed_{false};  // set once: messages from outside are dead letters from now on
  dispatch::lobby guests_;            // of threads outside that are in a longer call
};

// The message by which a customer hears of failure.
extern const message_type failure_message;

template <class SendFailure>
void core::bury(port to, const message_type& type, void* payload, failure_reason reason,
                SendFailure send_failure) noexcept {
  void* message = type.indirect ? *static_cast<void**>(payload) : payload;
  if (actors::is_order(type)) {
    bury_order(to, type, payload, reason);
  } else {
    const bool is_notice = type.role == message_type::failure_notice;
    letters_.add(to, type, reason, is_notice ? static_cast<const failure*>(message) : nullptr);
  }
  if (type.customer != nullptr) {
    const port customer = type.customer(message);
    if (customer != 0) send_failure(customer, actors::notice_of(reason));
  }
  if (type.destroy != nullptr) type.destroy(payload, true);
}

}  // namespace tact::detail
