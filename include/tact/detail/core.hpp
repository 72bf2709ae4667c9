// The untyped core as the typed headers see it: the functions that create, send, ask and wait. Every call of a user is
// a thin typed layer over this page and detail/staged_send.hpp.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tact/detail/block_class.hpp"
#include "tact/detail/deadline.hpp"
#include "tact/detail/description.hpp"
#include "tact/detail/staged_send.hpp"

namespace tact {
struct engine_options;
struct placement_plan;
struct pumped;
struct statistics;
struct worker_statistics;
struct type_statistics;
struct failure;
struct poison_pill;
struct mailbox_depth;
struct dead_letter;
struct ended;
enum class failure_reason : unsigned char;
enum class end_reason : unsigned char;
enum class send_result : unsigned char;
}  // namespace tact

namespace tact::detail {

class core;  // an engine

// -- storage of closures and boxes: pooled per thread, without malloc in the steady state. Any thread may free a block.
// Blocks are aligned to 16. The first two throw std::bad_alloc. For each object the compiler knows which of them to
// call. allocate_pooled(class | for_closure): a block near those of other closures, whose actors live where the next
// actor will; it is freed as others are.
[[nodiscard]] void* allocate_pooled(block_class);
[[nodiscard]] void* allocate_large(std::size_t bytes);
void free_pooled(void* block, block_class) noexcept;
void free_large(void* block, std::size_t bytes) noexcept;
[[nodiscard]] inline void* allocate_block(std::size_t bytes) {
  const block_class c = class_of_block(bytes);
  return c != large_block ? allocate_pooled(c) : allocate_large(bytes);
}
inline void free_block(void* block, std::size_t bytes) noexcept {
  const block_class c = class_of_block(bytes);
  c != large_block ? free_pooled(block, c) : free_large(block, bytes);
}

// While one lives on a thread, what this thread asks of the library cannot fail for want of memory: what the system
// does not give comes out of the reserve. For handlers of the library's own whose failure could not be made good.
// REQUIRES: none of these handlers waits meanwhile. docs/out_of_memory.md.
class unfailing {
 public:
  unfailing() noexcept;
  ~unfailing();
  unfailing(const unfailing&) = delete;
  unfailing& operator=(const unfailing&) = delete;
};

// -- timers: docs/protocols/timers.md

struct timer_record;

// One use of a timer record; harmless for ever, also when the record is used again.
struct timer_id {
  timer_record* record = nullptr;
  std::uint64_t key = 0;
  friend bool operator==(const timer_id&, const timer_id&) = default;
};

// When a message is due. `ns` counts from the moment at which the timer is set, which is the commit in a handler, or
// from the beginning of a clock: steady_clock, or system_clock, which is read at that moment.
struct due_time {
  enum class from : unsigned char { setting, steady, system } since;
  std::int64_t ns;
  static constexpr std::int64_t never = never_ns;
};

// How a message is sent again and again.
struct timer_again {
  std::int64_t period_ns = 0;
  // Copies the message into a payload. May throw.
  void (*copy)(const void* message, void* payload) = nullptr;
};

// Like stage: reserves a timer, which is set at the commit, and returns the place where the caller constructs the
// payload of its message. `*again` is copied. Throws what starting a thread throws, and std::bad_alloc.
[[nodiscard]] void* stage_timer(run&, port to, const message_type&, const due_time&, const timer_again* again,
                                timer_id& made);
// Sets a timer at once, and moves the payload into it. Called from any thread outside. When it throws, the payload was
// ended.
[[nodiscard]] timer_id set_timer(core&, port to, const message_type&, void* payload, const due_time&,
                                 const timer_again* again);
// Like stage: reserves the place for the payload of a message of which the actor that runs is sent a copy each time
// that it has handled no message for `again.period_ns`. It is in force from the commit on, in the place of the one
// before. Throws std::bad_alloc, what starting a thread throws, and usage_error.
[[nodiscard]] void* stage_idle(run&, port to, const message_type&, const timer_again& again);
void stage_never_idle(run&);  // takes back what stage_idle has brought into force

// Cancels the timer at once; in a handler at the commit, and then the result is false. True: its message, or its next
// one, will not be sent. False: it was sent, or the timer is not set any more, or is not set yet.
bool cancel_timer(timer_id);

// -- how an ask ends without an answer: its customer is told by a failure when the time limit passes, when the deadline
// of the context in which it was asked does, or when a flag of that is set. A timer stands for each of these ends; a
// customer that was told something else cancels it. A timer_id without a record says that nothing limits the ask.
// docs/protocols/ask_limit.md.
// Stages the limit of an ask, which counts from the commit. If the context is over, the customer is told by a message.
// Throws what stage_timer throws.
[[nodiscard]] timer_id stage_ask_limit(run&, port customer, std::int64_t limit_ns);
// Limits an ask of a thread outside, in its context, in two steps: the customer is made with the id, and then the timer
// is set. For each timer that was reserved either set_ask_limit or forget_ask_limit is called, once.
[[nodiscard]] timer_id reserve_ask_limit(core&);
void set_ask_limit(core&, timer_id, port customer) noexcept;
void forget_ask_limit(core&, timer_id) noexcept;

// -- inside a handler. A `run` is confined to the thread that runs it.
// The transaction that runs on this thread now; null outside of handlers.
[[nodiscard]] run* current_run() noexcept;
[[nodiscard]] core& core_of(run&) noexcept;
void stage_become(run&, closure& next);                 // takes `next` over; the last one wins
void stage_stop(run&, ending) noexcept;                 // ends this actor at the commit
void stage_unchanged(run&) noexcept;                    // forgets a become or stop staged before
void note_mark(run&, std::string_view text) noexcept;   // for a record of steps, if this run is recorded
void discard(run&) noexcept;                            // forgets what was staged so far; the run goes on
[[nodiscard]] inline port self_port(run& r) noexcept {  // with index 0: the actor's whole protocol
  // relaxed: owner-only write, read back by its owner.
  return r.handling.load(std::memory_order_relaxed) & ~index_mask;
}
// Calls stage_ask_limit if anything may limit the ask.
[[nodiscard]] inline timer_id limit_ask(run& r, port customer, std::int64_t limit_ns = due_time::never) {
  return r.context == nullptr && limit_ns == due_time::never ? timer_id{} : stage_ask_limit(r, customer, limit_ns);
}
[[nodiscard]] inline port handled_port(run& r) noexcept {  // with the index of the message that is handled
  // relaxed: owner-only write, read back by its owner.
  return r.handling.load(std::memory_order_relaxed);
}
[[nodiscard]] port create(run&, closure& takes_over, placement);  // exists at commit
// Makes a one-shot that runs where its maker, the actor of this run, runs. For an exclusive actor that is its shard, so
// the two never run at the same time, and what comes for them stays in its order.
[[nodiscard]] port create_beside(run&, closure& takes_over);
[[nodiscard]] port reserve(run&, placement);  // an address for `install`, for actors that know each other
void install(run&, port, closure& takes_over);
// Says that the request being handled must be answered. The core fails `customer` when the run throws, and when the run
// commits without having sent to it, passed it on in another request, or called settle_debt. The last call counts.
void owe(run&, port customer) noexcept;
void settle_debt(run&, port customer) noexcept;
// Called by a run of an `owing`: what the run makes owes the same answer, unless the run sends to the customer.
void inherit_debt(run&, const owing&) noexcept;

// First base of a message of the role own_answer: an answer that comes to the actor itself that has asked. The core
// calls `handler` with the actor's closure and the message, as one of the actor's own handlers.
struct own_answer {
  entry handler;
  std::uint64_t restarts;  // times_restarted when the actor asked; if it was made anew since, the message is dropped
};
// How often the actor that is run has been made anew in its place.
[[nodiscard]] std::uint64_t times_restarted(run&) noexcept;
// Tells `takes_over` when the actor ends, or at once if it has ended. Staged like a message to that actor.
void watch(run&, port, watcher& takes_over);

// -- a handler that waits for an answer, while its stack is put aside. docs/protocols/parked_ask.md.
// First base of what keeps the answer for a handler that waits; its only entry, or on_failure, stores what came.
struct waiter : closure {
  explicit waiter(const behavior_type& t) noexcept : closure{&t} {}
  void* parked = nullptr;  // the core's
};
// Notes that handlers of this program wait for answers: from now on engines run handlers on stacks that can be put
// aside.
void note_parking() noexcept;
// Hidden, so that each plug-in with a copy of the library has one: otherwise the first copy would be told, and no
// other.
template <class>
struct parking {
  [[gnu::visibility("hidden")]] static inline const bool is_used = (note_parking(), true);
};
// Returns the address for the answer; `asked` is the actor to which the caller sends the request next. Throws
// usage_error where a handler must not wait.
[[nodiscard]] port reserve_waiter(run&, port asked);
// Reserves an address for a handler that only commits, and stages the answer itself.
[[nodiscard]] port reserve_commit(run&);
// Commits what was staged, and returns when `w` has been told. After that the transaction goes on in current_run(),
// which may be another run on another thread.
void park(run&, port reserved, waiter& w);
// Ends a handler that has waited. No frame is left to which it could return, so this leaves its stack for good. Throws
// in simulations only.
[[noreturn]] void end_parked();

// -- from any thread.
[[nodiscard]] core& start(const engine_options&);  // throws tact::option_error, usage_error on a thread of an engine
void finish(core&) noexcept;                       // the engine's destructor
[[nodiscard]] port create(core&, closure& takes_over, placement);
[[nodiscard]] port reserve(core&, placement);
void install(core&, port, closure& takes_over);
void abandon(core&, port) noexcept;  // gives back a port that was not installed; a run does so at its end
// Moves the payload (laid out as message_type says) into the target's queue; it is visible at once. A message to an
// ended actor or engine becomes a dead letter. Inside a handler use stage. Throws std::bad_alloc: then nothing was
// sent, and the payload was ended.
void send(core&, port to, const message_type&, void* payload);
void send_round(core&, port to, const message_type&, void* payload);  // as stage_round
// Sends as the call above does, but to whichever engine the actor lives in; it does no harm when that engine is gone.
void send(port to, const message_type&, void* payload);
void watch(core&, port, watcher& takes_over);  // throws std::bad_alloc: then the watcher was dropped
void watch(port, watcher& takes_over);         // in whichever engine the actor lives
// Makes the watcher tell no actor from now on: in a handler this is staged, elsewhere it happens at once. The caller
// has a share of the watcher. Throws std::bad_alloc.
void unwatch(watcher&);
// True when the actor lives in the engine of `c`.
[[nodiscard]] bool lives_in(port, const core& c) noexcept;

// Called when a wait was in vain: throws if the reason is that its simulation cannot go on. For a wait without a limit
// there is no other reason.
void look_whether_stuck(const char* call);

// A word on which one thread waits and another notifies, once; it lives on the waiter's stack. Invariants: a waiter
// that was notified does not sleep on, and sees all that the notifier wrote before; notify does not touch the word
// after the exchange that tells the waiter, because the waiter may then return. Protocol page:
// docs/protocols/wait_word.md.
class wait_word {
 public:
  void notify() noexcept;        // the last access to *this; everything before it is visible to the waiter
  bool wait(deadline) noexcept;  // false: the deadline passed first
  [[nodiscard]] bool is_done() const noexcept;

 private:
  std::atomic<std::uint32_t> state_{0};
};

// Keeps the engine until the end of a block, for a call that goes on when the engine may be dropped already: the end of
// the engine waits for it. The block must not wait for that end.
class inside_engine {
 public:
  explicit inside_engine(core& engine) noexcept;
  inside_engine(const inside_engine&) = delete;
  inside_engine& operator=(const inside_engine&) = delete;
  ~inside_engine();

 private:
  core& engine_;
};

// Registers a closure of kind `asker` and returns its address. Its entry or on_failure is called at most once, by a
// worker or by the engine's end; then the closure is destroyed, if its type says how.
[[nodiscard]] port create_asker(core&, closure&);
// As wait_word::wait, and notes for reports that the thread waits for `asked`. In an engine without workers the thread
// runs the engine meanwhile.
[[nodiscard]] bool wait_told(core&, wait_word&, deadline, port asked);
[[nodiscard]] std::chrono::milliseconds ask_timeout(const core&) noexcept;  // engine_options::ask_timeout
// Takes the asker back. True: it will never be called. False: it is being called, or was: then wait for its wait_word.
[[nodiscard]] bool withdraw_asker(core&, port) noexcept;

// Throws tact::usage_error, whose text has `instead`, when it is called inside a handler of any engine.
void refuse_inside_handler(const char* call, const char* instead);

// These run an engine without workers, and throw tact::usage_error for others.
[[nodiscard]] pumped pump(core&, std::size_t most, deadline);
void run_engine(core&);
void run_until_idle(core&);
void quit_run(core&);

// wait_idle, wait_finished, drain and cancel return false when the deadline passed first.
[[nodiscard]] bool wait_idle(core&, deadline);      // nothing in flight, nothing running
[[nodiscard]] bool wait_finished(core&, deadline);  // that, and no actor alive
[[nodiscard]] bool drain(core&, deadline);          // finish everything, then end the engine
// Drains when the process is asked to end; before that it calls stop(with), if there is such a function. `or_end`: it
// also returns when every actor has ended.
[[nodiscard]] int run_until_signal(core&, bool or_end, void (*stop)(void*), void* with);
[[nodiscard]] bool cancel(core&, deadline);      // end now; what was not delivered becomes dead letters
[[nodiscard]] std::string still_running(core&);  // for people: what keeps it from ending
[[nodiscard]] statistics read_statistics(core&);
[[nodiscard]] std::vector<worker_statistics> read_worker_statistics(core&);
[[nodiscard]] std::vector<type_statistics> read_type_statistics(core&);
[[nodiscard]] std::vector<std::uint64_t> read_shard_depths(core&);
[[nodiscard]] std::vector<mailbox_depth> read_fullest_mailboxes(core&, std::size_t most);
[[nodiscard]] const placement_plan& read_plan(const core&) noexcept;  // constant, as long as the engine
[[nodiscard]] std::vector<dead_letter> read_dead_letters(core&);      // the latest ones, oldest first

}  // namespace tact::detail
