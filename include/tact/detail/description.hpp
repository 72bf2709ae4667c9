// Addresses, and how messages and behaviours are described to the untyped core.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "tact/allocation.hpp"
#include "tact/detail/block_class.hpp"

namespace tact {
struct ended;
enum class end_reason : unsigned char;
}  // namespace tact

namespace tact::detail {

struct run;       // the running transaction of one worker: detail/staged_send.hpp
struct type_key;  // says which type it is: detail/type_key.hpp

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
  const type_key* key = nullptr;  // of the message type; null: it is the core's own
  std::uint16_t payload_bytes;    // of what lies in the queue: the message, or the pointer to it
  bool indirect;                  // the payload is a pointer to the message (boxed, or sent by reference)
  bool has_plain_bytes = false;   // equal messages have equal bytes, and the payload is the message
  enum role_ : unsigned char {
    ordinary,
    failure_notice,
    pill,
    watch,
    forget,
    token,
    restart,
    own_answer,
    idle_look
  } role = ordinary;
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
  join,           // the customer of several requests at once, with mutable state; a run that fails does not end it
  asker,   // a one-shot that is also told of the engine's end; without `destroy` if it lies on the stack of a thread
  waiter,  // the same on the stack of a handler that waits, which goes on where the answer is handled
  marker,  // no behaviour: it says of an object that it is attached (detail/attachment.hpp)
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
  bool is_of_ask = false;                 // the customer of an ask: `name` is that of the request
  std::uint64_t own_words = 0;            // a bit for each entry: limits do not hold for its message
  bool cannot_fail = false;               // no user's code runs in it, and simulations do not make it throw
  bool may_owe = false;                   // its closures are of the type `owing`
};

// First base of everything that handles messages.
struct closure {
  const behavior_type* type = nullptr;
};

// First base of what a run makes to hear an answer later. If the run has deferred a request, that waits for this
// object: when the object is destroyed without having run, because its engine or its loop has ended, the core tells the
// customer.
struct owing : closure {
  explicit owing(const behavior_type& t) noexcept : closure{&t} {}
  port owed = 0;  // the core's: the customer; 0: none
};

// The placements from `heavy` on need more work at the creation.
enum class placement : unsigned char { parallel, ordered, heavy, blocking, on_loop };

// How an actor ends: what becomes of the object of a classic actor, and the reason.
struct ending {
  allocation how = allocation::delete_;
  end_reason why{};  // stopped
};

// Waits for the end of an actor, to tell another one. It has shares: one is the core's, each handle of the monitor has
// one, and each order to forget it. The last one that goes frees it. The core gives its own share up once, by `tell` or
// by `drop`.
struct watcher {
  port to = 0;  // the actor that will be told
  // Called with the run that ends the actor, it stages the message; without a run, which is outside of any handler, it
  // sends the message at once. Then it gives up a share.
  void (*tell)(watcher&, run*, ended&&) noexcept;
  void (*drop)(watcher&) noexcept;  // gives up a share
  port target = 0;                  // the actor that is watched
  std::atomic<std::uint32_t> shares{1};
  // The core's: its neighbours among the watchers of the same actor, whether it is among them, and whether it was taken
  // back. Guarded by the lock of the slab in which that actor lives.
  watcher* next = nullptr;
  watcher* before = nullptr;
  bool is_listed = false;
  bool is_forgotten = false;
};

}  // namespace tact::detail
