// The untyped core as the typed headers see it: addresses, descriptions of messages and behaviours, and the functions
// that stage, create, send and wait. Every call of a user is a thin typed layer over this page.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include "tact/allocation.hpp"
#include "tact/detail/block_class.hpp"
#include "tact/detail/deadline.hpp"

namespace tact {
struct engine_options;
struct placement_plan;
struct pumped;
struct statistics;
struct worker_statistics;
struct type_statistics;
struct failure;
struct mailbox_depth;
struct dead_letter;
struct ended;
enum class failure_reason : unsigned char;
enum class end_reason : unsigned char;
enum class send_result : unsigned char;
}  // namespace tact

namespace tact::detail {

class core;  // an engine
struct context_node;
struct run;  // the running transaction of one worker

// The address of an actor for one protocol: [63:48] generation, [47:6] cell, [5:0] index of the protocol's first
// message in the actor's own table. 0 is the address of no actor.
using port = std::uint64_t;

inline constexpr unsigned index_bits = 6;
inline constexpr port index_mask = (port{1} << index_bits) - 1;
inline constexpr port cell_mask = 0x0000'FFFF'FFFF'FFFF & ~index_mask;
inline constexpr unsigned messages_max = 1u << index_bits;
inline constexpr std::size_t inline_bytes_max = 80;  // larger messages are boxed
inline constexpr std::size_t inline_align_max = 16;

// True when both ports are those of one actor, whatever protocols they were narrowed to.
constexpr bool same_actor(port a, port b) noexcept { return (a & ~index_mask) == (b & ~index_mask); }

// The description of a message type for the core; one constant per type.
struct alignas(8) message_type {
  // Moves the payload to new storage and destroys the old one. Null: its bytes may be copied.
  void (*relocate)(void* from, void* to) noexcept;
  // Ends the payload: runs the destructor of an inline message, ends box and message of a boxed one, carries out the
  // allocation state of one sent by reference. `handled` is false for a message that was never sent, because the run
  // that staged it did not commit: then a message sent by reference is left alone. Null: nothing is to be done.
  void (*destroy)(void* payload, bool handled) noexcept;
  // Returns the customer of a request, 0 if it has none. Null: the type is no request. Takes the message, not the
  // payload.
  port (*customer)(const void* message) noexcept;
  std::string_view name;
  std::uint16_t payload_bytes;   // of what lies in the queue: the message, or the pointer to it
  bool indirect;                 // the payload is a pointer to the message (boxed, or sent by reference)
  bool has_plain_bytes = false;  // equal messages have equal bytes, and the payload is the message
  enum role_ : unsigned char { ordinary, failure_notice, pill, watch, token } role = ordinary;
  std::uint32_t boxed_bytes = 0;  // of the message, when it does not lie in the queue
  // The upper 16 bits of every envelope of this type: how many slots it takes, and what must be done with its payload.
  // Filled in by complete().
  std::uint64_t header_bits = 0;

  static constexpr unsigned head_bytes = 16;
  static constexpr unsigned slot_bytes = 32;
  static constexpr unsigned slots_shift = 48;
  static constexpr std::uint64_t indirect_bit = std::uint64_t{1} << 50;
  static constexpr std::uint64_t destroy_bit = std::uint64_t{1} << 51;
  static constexpr std::uint64_t special_bit = std::uint64_t{1} << 53;

  // Computes header_bits, as the last step of describing a type. `has_destroy` says that destroy is not null, which GCC
  // 12 with UBSan cannot tell in a constant expression.
  constexpr message_type complete(bool has_destroy) const noexcept {
    message_type t = *this;
    const std::uint64_t count = (head_bytes + payload_bytes + slot_bytes - 1) / slot_bytes;
    t.header_bits = count << slots_shift | (indirect ? indirect_bit : 0) | (has_destroy ? destroy_bit : 0) |
                    (role != ordinary ? special_bit : 0);
    return t;
  }
  [[nodiscard]] constexpr unsigned slot_count() const noexcept {
    return static_cast<unsigned>(header_bits >> slots_shift) & 3u;
  }
  // How many bytes a message of this type takes up, for limits of mailboxes.
  [[nodiscard]] std::uint64_t bytes() const noexcept { return std::uint64_t{slot_count()} * slot_bytes + boxed_bytes; }
  // The first word of an envelope of this type.
  [[nodiscard]] std::uint64_t header() const noexcept { return reinterpret_cast<std::uintptr_t>(this) | header_bits; }
};

enum class actor_kind : unsigned char {
  transactional,  // behaviours behind a cell; becomes commit by compare-and-swap
  classic,        // one object with mutable state, exclusive on its home shard
  once,           // runs for one message, then is gone: betas, on_commit
  asker,   // a one-shot that is also told of the engine's end; without `destroy` if it lies on the stack of a thread
  waiter,  // the same on the stack of a handler that waits, which goes on where the answer is handled
};

struct closure;
// Calls one handler. `message` is the message itself (already looked up behind a box).
using entry = void (*)(closure&, run&, void* message);

// The description of a behaviour, classic actor or one-shot for the core; one constant per type.
struct behavior_type {
  const entry* entries;  // one per message of the protocol, in order
  unsigned entry_count;
  entry on_failure;  // takes a tact::failure. Null: failures sent here are dead letters
  // Ends the closure. For a classic actor `how` is its last allocation state; its storage is freed if the engine owns
  // that. Null: nothing is to be done, and the closure is not touched.
  void (*destroy)(closure&, allocation how) noexcept;
  actor_kind kind;
  std::string_view name;                  // of the protocol or the class, for people
  const std::string_view* message_names;  // as many as entries, for people
  block_class plain_block = large_block;  // a pooled class: to end the closure only its block, of this class, is freed
};

// First base of everything that handles messages.
struct closure {
  const behavior_type* type = nullptr;
};

// `returning` is tact::parallel: such an actor is parallel for good, and at home for single messages only. The
// placements from `heavy` on need more work at the creation.
enum class placement : unsigned char { parallel, ordered, heavy, blocking, returning, on_loop };

// How an actor ends: what becomes of the object of a classic actor, and the reason.
struct ending {
  allocation how = allocation::delete_;
  end_reason why{};  // stopped
};

// Waits for the end of an actor, to tell another one. Exactly one of `tell` and `drop` is called, once; it also frees
// the watcher.
struct watcher {
  port to = 0;  // the actor that will be told
  // Called with the run that ends the actor, it stages the message; without a run, which is outside of any handler, it
  // sends the message at once.
  void (*tell)(watcher&, run*, ended&&) noexcept;
  void (*drop)(watcher&) noexcept;
  watcher* next = nullptr;  // the core's: the next one of the same actor
};

// -- how a message is staged. Most messages stay with the worker: so their staging is written here, to be inlined into
// the caller's own code.

// The tail of a queue of envelopes.
struct queue_tail {
  std::byte* write = nullptr;  // the next free slot
  std::byte* end = nullptr;    // the end of the chunk in which `write` lies
};

// The route of an actor (actors::route) says where messages for it go, and is all that senders read of it. It lies
// apart from the actor's cell, together with the routes of the other cells of its slab, because the cells of many
// actors do not fit into a cache, but their routes do. A slab is 64 KiB in lines of 64 bytes; word i of it is the route
// of the cell in line i. The words themselves take up the first lines, in which there are no cells.
struct slab_routes {
  static constexpr std::size_t slab_bytes = 64 * 1024;
  static constexpr std::size_t line_bytes = 64;
  static constexpr std::size_t lines = slab_bytes / line_bytes;
  static constexpr std::size_t first_cell = lines * sizeof(std::uint64_t) / line_bytes;

  // The bits of a route from this one on are the same for all parallel actors of an engine.
  static constexpr unsigned kind_shift = 32;

  // The route of the actor at p; it is written when the actor is created.
  [[nodiscard]] static std::atomic<std::uint64_t>& of(port p) noexcept {
    const auto at = static_cast<std::uintptr_t>(p & cell_mask);
    return *reinterpret_cast<std::atomic<std::uint64_t>*>((at & ~(slab_bytes - 1)) |
                                                          (at / line_bytes % lines * sizeof(std::uint64_t)));
  }
};

// The part of a running transaction that staging reads and writes; the core keeps the rest. Thread safety: only the
// worker's own thread uses it, but any thread may read `handling`.
struct run {
  queue_tail* lane = nullptr;      // of the shard that the worker holds
  std::uint64_t parallel_key = 0;  // the upper bits of the routes of parallel actors that this worker may run
  // For an exclusive actor of this engine, its route minus `base` is the number of its shard, below `shards`;
  // `held_shards` says for each shard whether this worker holds it.
  std::uint64_t base = nobodys;
  const std::uint8_t* held_shards = nullptr;
  std::uint64_t shards = 0;
  std::uint64_t sent = 0;                 // messages that were ever staged and not aborted
  std::byte* mark = nullptr;              // lane->write when the run began
  std::atomic<port> handling{0};          // the port of the message that is run; 0 between two holds
  const context_node* context = nullptr;  // the context in which the run sends and creates

  // A value that is no route and no base. As `base` it makes stage_elsewhere look at every send.
  static constexpr std::uint64_t nobodys = std::uint64_t{1} << 63;

  [[nodiscard]] bool keeps(std::uint64_t route) const noexcept {
    return holds_route(route) || route >> slab_routes::kind_shift == parallel_key;
  }
  [[nodiscard]] bool holds_route(std::uint64_t route) const noexcept {
    return route - base < shards && held_shards[route - base] != 0;
  }
};

// Reserves an envelope for a message to `to`. Returns the place where the caller constructs its payload, which must not
// throw.
[[nodiscard]] void* stage_elsewhere(run&, port to, const message_type&);
[[nodiscard]] inline void* stage(run& r, port to, const message_type& type) {
  if (to > index_mask) [[likely]] {
    queue_tail& lane = *r.lane;
    std::byte* at = lane.write;
    const std::uintptr_t after = reinterpret_cast<std::uintptr_t>(at) + type.slot_count() * message_type::slot_bytes;
    // relaxed: private until published; a thread that has the port got it after the actor was created.
    if (r.keeps(slab_routes::of(to).load(std::memory_order_relaxed)) &&
        after <= reinterpret_cast<std::uintptr_t>(lane.end)) [[likely]] {
      lane.write = reinterpret_cast<std::byte*>(after);
      ++r.sent;
      auto* header = ::new (at) std::uint64_t(type.header());
      asm("" : "+m"(*header));  // two stores: else a load right behind them would wait for one store of 16 bytes
      ::new (at + sizeof *header) port(to);
      return at + message_type::head_bytes;
    }
  }
  return stage_elsewhere(r, to, type);
}
// The same, but a message to a parallel actor is handled in the next shard, round over those of all workers.
[[nodiscard]] void* stage_round(run&, port to, const message_type&);
// Stages that the message which is handled moves on to `to`. Throws tact::usage_error when `message`, whose type has
// this name, is not the message that is handled, or when that has been passed on already.
void pass_on(run&, port to, const void* message, std::string_view name);

// -- storage of closures and boxes: pooled per thread, without malloc in the steady state. Any thread may free a block.
// Blocks are aligned to 16. The first two throw std::bad_alloc. For each object the compiler knows which of them to
// call.
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
// Cancels the timer at the commit.
void stage_cancel(run&, timer_id);
// Sets a timer at once, and moves the payload into it. Called from any thread outside. When it throws, the payload was
// ended.
[[nodiscard]] timer_id set_timer(core&, port to, const message_type&, void* payload, const due_time&,
                                 const timer_again* again);
// Cancels the timer at once. True: its message, or its next one, will not be sent. False: it was sent, or the timer is
// not set any more, or is not set yet. Throws usage_error in a handler.
bool cancel_timer(timer_id);

// -- inside a handler. A `run` is confined to the thread that runs it.
// The transaction that runs on this thread now; null outside of handlers.
[[nodiscard]] run* current_run() noexcept;
[[nodiscard]] core& core_of(run&) noexcept;
void stage_become(run&, closure& next);                 // takes `next` over; the last one wins
void stage_stop(run&, ending) noexcept;                 // ends this actor at the commit
void stage_unchanged(run&) noexcept;                    // forgets a become or stop staged before
void discard(run&) noexcept;                            // forgets what was staged so far; the run goes on
[[nodiscard]] inline port self_port(run& r) noexcept {  // with index 0: the actor's whole protocol
  // relaxed: owner-only write, read back by its owner.
  return r.handling.load(std::memory_order_relaxed) & ~index_mask;
}
[[nodiscard]] port create(run&, closure& takes_over, placement);  // exists at commit
[[nodiscard]] port reserve(run&, placement);  // an address for `install`, for actors that know each other
void install(run&, port, closure& takes_over);
// Says that the request being handled must be answered. The core fails `customer` when the run throws, and when the run
// commits without having sent to it, passed it on in another request, or called settle_debt. The last call counts.
void owe(run&, port customer) noexcept;
void settle_debt(run&, port customer) noexcept;
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
template <class>
struct parking {
  static inline const bool is_used = (note_parking(), true);
};
// Returns the address for the answer; `asked` is the actor to which the caller sends the request next. Throws
// usage_error where a handler must not wait.
[[nodiscard]] port reserve_waiter(run&, port asked);
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
// The same, to whichever engine the actor lives in; harmless when that engine is gone.
void send(port to, const message_type&, void* payload);
void watch(core&, port, watcher& takes_over);  // throws std::bad_alloc: then the watcher was dropped
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

// Registers a closure of kind `asker` and returns its address. Its entry or on_failure is called at most once, by a
// worker or by the engine's end; then the closure is destroyed, if its type says how.
[[nodiscard]] port create_asker(core&, closure&);
// As wait_word::wait, and notes for reports that the thread waits for `asked`. In an engine without workers the thread
// runs the engine meanwhile.
[[nodiscard]] bool wait_told(core&, wait_word&, deadline, port asked);
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
[[nodiscard]] int run_until_signal(core&);          // drain when the process is asked to end
[[nodiscard]] bool cancel(core&, deadline);         // end now; what was not delivered becomes dead letters
[[nodiscard]] std::string still_running(core&);     // for people: what keeps it from ending
[[nodiscard]] statistics read_statistics(const core&);
[[nodiscard]] std::vector<worker_statistics> read_worker_statistics(const core&);
[[nodiscard]] std::vector<type_statistics> read_type_statistics(core&);
[[nodiscard]] std::vector<std::uint64_t> read_shard_depths(const core&);
[[nodiscard]] std::vector<mailbox_depth> read_fullest_mailboxes(core&, std::size_t most);
[[nodiscard]] const placement_plan& read_plan(const core&) noexcept;  // constant, as long as the engine
[[nodiscard]] std::vector<dead_letter> read_dead_letters(core&);      // the latest ones, oldest first

}  // namespace tact::detail
