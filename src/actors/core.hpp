// The core of an engine: a dispatcher whose workers run actors, the cells of the actors, and the end of the engine.
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

// What became of a message from outside. In the first two cases it has been counted as sent.
enum class reception : unsigned char {
  taken,      // it is in its shard, or in its mailbox
  nowhere,    // the target has ended
  refused,    // the engine has ended; the message is counted apart
  elsewhere,  // the target lives in another engine, and nothing was done yet
  // There is no room, and nothing was done yet:
  full,
  late,     // and the time for which the sender waits is over
  dropped,  // and the policy loses the message: the sender does not get it back
};

// Thread safety: any thread may call everything here, except where a comment says otherwise.
class core {
 public:
  explicit core(const engine_options& options);  // throws tact::option_error
  core(const core&) = delete;
  core& operator=(const core&) = delete;
  ~core();

  // -- actors
  // Takes a cell for an actor that is created outside, and gives it a home shard. Throws what kept_home throws, and
  // std::bad_alloc.
  [[nodiscard]] port reserve(actors::route::kind kind, placement where, const loop_place& loop, bool has_limit = false);
  // The shard for a heavy actor, a blocking actor or an actor on a loop. No value: the actor gets an ordinary shard.
  // Throws tact::usage_error when there are too many blocking actors, and for a loop that has ended or belongs to
  // another engine; std::system_error when the system gives no thread.
  [[nodiscard]] std::optional<std::uint32_t> kept_home(placement where, const loop_place& loop);
  void create(actors::cell& c, closure& first) noexcept;
  [[nodiscard]] bool withdraw(port asker) noexcept;
  // Gives up a cell that holds no actor. Threads outside take no part in the epochs, so a worker retires the cell
  // later. `served`: see cell::was_served.
  void abandon(actors::cell& c, bool served) noexcept;
  [[nodiscard]] actors::cell* take_withdrawn() noexcept;

  // -- messages from outside
  // `round`: a message for a parallel actor goes to the next shard in turn, whichever workers sleep.
  // Throws std::bad_alloc: then nothing was sent, and the payload has ended.
  void post(port to, const message_type& type, void* payload, bool round = false);
  // The same, but waits for room as `p` says. full: the payload is still the caller's.
  [[nodiscard]] send_result try_post(port to, const message_type& type, void* payload, const patience& p);
  // The same in two steps. Between them the message has been counted, and no code of the user has run yet. A message
  // that receive_timed has not taken goes to bury_timed; the caller may have moved its payload meanwhile.
  [[nodiscard]] reception receive_timed(port to, const message_type& type, void* payload) noexcept;
  void bury_timed(reception how, port to, const message_type& type, void* payload) noexcept;
  // Tells the customer of a request that no handler will get.
  void tell_unserved(port customer, failure&& f) noexcept;
  // Destroys a message that no handler will get, and tells its customer. The caller counts the message, and passes a
  // function that sends a failure notice.
  template <class SendFailure>
  void bury(port to, const message_type& type, void* payload, failure_reason reason, SendFailure send_failure) noexcept;

  // -- mailboxes with limits: docs/protocols/pressure.md
  // The message waits no more: takes it out of the rooms in which its marks say that it is counted.
  void leave_rooms(mailbox::envelope& e) noexcept;
  void leave_rooms(port to, std::uint64_t marks, std::uint64_t bytes) noexcept;
  // Wakes the threads that wait for room. REQUIRES: the caller has made room, or ended the actor or the engine.
  void tell_of_room() noexcept;
  void count_refused(port to) noexcept;
  // Counts a dead letter. `as_sent`: counts it as sent as well, which was not done yet.
  void count_lost(bool as_sent) noexcept;

  // -- loops: docs/protocols/loop.md
  [[nodiscard]] std::uint32_t open_loop(std::function<void()> wake);
  void close_loop(std::uint32_t place) noexcept;
  [[nodiscard]] dispatch::pump::amount pump_loop(std::uint32_t place, std::uint64_t most, deadline until) noexcept;

  // -- waiting and ending
  [[nodiscard]] bool is_quiet() const noexcept;
  // `call`: the name of the user's call. Without a deadline, lines on stderr name this call and what it waits for.
  [[nodiscard]] bool wait_quiet(deadline until, bool and_no_actor, const char* call) noexcept;
  // Waits for `told`, for a thread that asks the actor `asked`.
  [[nodiscard]] bool wait_told(wait_word& told, deadline until, port asked) noexcept;
  [[nodiscard]] bool is_told_soon(const wait_word& told) const noexcept;
  // For engines without workers: in an engine with workers all of these throw tact::usage_error. So do the first three
  // while another thread runs the engine; quit_run may be called by any thread.
  [[nodiscard]] dispatch::pump::amount run_some(std::uint64_t most, deadline until);
  void run();
  void run_until_idle();
  void quit_run();
  // -- workers
  // The number of workers that run now.
  [[nodiscard]] unsigned count_workers() const noexcept { return options_.workers == 0 ? 0 : dispatcher_.running(); }
  // Throws tact::usage_error when the engine cannot have so many workers, std::system_error when the system gives no
  // thread. False: a simulation cannot go on.
  [[nodiscard]] bool set_workers(unsigned count);
  // Throws tact::usage_error when no thread may help this engine.
  void look_whether_help_is_wanted() const;
  // The calling thread runs messages until `told` is done, or no message waits.
  void help_until_told(const wait_word& told) noexcept;
  [[nodiscard]] bool drain(deadline until) noexcept;
  [[nodiscard]] bool cancel(deadline until) noexcept;
  // -- the destructor of the engine, the end of its process, and fork: docs/ends.md
  void finish() noexcept;
  // Called on a thread that is inside of the engine, before another thread calls finish.
  void prepare_end_elsewhere() noexcept;
  // Called on a thread that ends the process from inside of the engine: no thread will call finish.
  void leave_to_process_end() noexcept;
  // Reports the engine if the process ends before it has ended.
  void tell_of_process_end() noexcept;
  // Called in a forked child of the engine's process: the engine's threads are not here, so it is closed as far as that
  // is possible without them.
  void leave_behind() noexcept;
  [[nodiscard]] bool is_left_behind() const noexcept { return dispatcher_.is_left_behind(); }
  // Aborts the process if it is such a child.
  void look_whether_left_behind(const char* call) const noexcept;
  // Ends actors that were created after the engine's end. Does nothing while a thread is ending the engine.
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
  // Says that the calling thread is this worker from now on. With engine_options.pin_workers it is pinned to its seat.
  void seat_worker(unsigned worker) noexcept;
  // Says that the calling thread is that of a blocking actor, which has no seat. A pinned worker may have started the
  // thread, so it is unpinned.
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
  // No worker is left, and a handler that is run now cannot wait for an answer any more.
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
  // `call`: the user's function that wakes the loop.
  void call_loop(const std::function<void()>& call) noexcept;
  [[nodiscard]] std::optional<std::uint32_t> home_on(const loop_place& loop);
  [[nodiscard]] dispatch::pump& pump_for(const char* call);
  void close() noexcept;
  [[nodiscard]] reception receive_in_context(const context_node& c, port to, const message_type& type, void* payload,
                                             bool round);
  [[nodiscard]] bool put_in(port to, const message_type& type, void* payload, bool round, mailbox::parcel* apart);
  // put_in as a function of its own, which is not inlined.
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
  fiber::stack_pool stacks_;  // for handlers that may wait
  actors::pinned_closures pins_;
  actors::waits waits_;
  actors::timers timed_;
  dispatch::dispatcher dispatcher_;
  actors::outside_tally outside_;
  // Routes from this value on need a look at limits: those of actors whose mailbox has a limit; if the engine has a
  // limit for threads outside, all routes.
  std::uint64_t looked_at_from_ = actors::route::counted_bit;
  actors::room<sync::real> brought_;  // for messages of threads outside; closed if they have no limit
  sync::eventcount<sync::real> room_made_;
  sync::atomic<std::uint64_t> refused_{0};
  sync::atomic<actors::cell*> withdrawn_{nullptr};  // a list by next_withdrawn; taken as a whole
  sync::lock<sync::real> end_lock_;            // held by the one thread that ends the engine, and may wait meanwhile
  bool swept_ = false;                         // guarded by end_lock_
  bool overdue_ = false;                       // guarded by end_lock_: messages that are left are reported
  bool tells_timers_ = false;                  // the same for timers that are set
  actors::leftovers left_;                     // guarded by end_lock_
  actors::survivors alive_;                    // at the end, with report_alive; written by the thread that sweeps
  sync::atomic<bool> is_cut_off_{false};       // its destructor must not run what is left
  sync::atomic<bool> pinning_refused_{false};  // the system has, and a line on stderr has said so
  // Set once, before the actors are swept. From then on the thread that buries a request tells the asker. A thread that
  // asked and still found false had counted its request before, so the sweep, which waits for quiet, finds its asker.
  sync::atomic<bool> no_workers_{false};
  sync::atomic<bool> closed_{false};  // set once: messages from outside are dead letters from now on
  dispatch::lobby guests_;            // threads outside that are in a longer call
};

// The type of the message that tells a customer of a failure.
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
