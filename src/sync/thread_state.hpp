// What a thread is to the engines, and what it remembers from one call to the next.
#pragma once

#include <cstdint>

namespace tact::detail {
struct context_node;
}
namespace tact::dispatch {
class announcements;
}
namespace tact::actors {
class own_loops;
}

namespace tact::sync {

// What the library keeps of a thread. There is one such object for each thread, and in a simulation one for each
// simulated thread, exchanged when the turn passes from one to another. Hence no other thread-local object of the
// library says which thread runs. Thread safety: the thread's own.
struct thread_state {
  // The shard to which this thread sent last from outside. Every change of shard moves cache lines from worker to
  // worker; so messages that may go anywhere stay with one shard while that shard's worker keeps up. It is only a
  // preference: if by now the shard belongs to another engine, or to a worker that has no time, that costs time, not
  // messages.
  struct outside_sender {
    const void* to = nullptr;  // a dispatcher; never dereferenced, because the engine may be gone
    std::uint32_t shard = 0;
    std::uint64_t behind_ns = 0;  // how long that shard would have run after the last message
    // The shard that got its last message, if nothing waited in the inbox there; never dereferenced.
    const void* found_empty = nullptr;
  };

  void* worker = nullptr;         // see actors::this_thread
  void* handler = nullptr;        // see actors::this_thread
  bool in_sink = false;           // the thread is in the user's sink for dead letters
  bool in_wake = false;           // the thread is in a call that makes an event loop pump
  bool never_waits = false;       // the thread that serves an engine's timers: no worker, but it must not wait
  bool in_user_code = false;      // the thread runs a handler's own code; kept in simulations only
  bool ends_process = false;      // see actors::visit
  std::uint8_t until_sample = 0;  // this and the next: see actors::tracing
  std::uint16_t sample_dice = 1;
  int number_in_system = 0;    // see sync::thread; 0: not asked for yet
  std::uint64_t recorded = 0;  // the number of the message that is handled, if its steps are told: see actors::tracing
  const detail::context_node* context = nullptr;  // the context of what it sends outside of handlers
  outside_sender sender;
  dispatch::announcements* announcements = nullptr;  // notes what it sends from outside; null: it announces at once
  const void* inside = nullptr;                      // see actors::visit
  actors::own_loops* loops = nullptr;  // its tact::loop objects, with one of which it must not wait; or null

  // This function is not instrumented by UndefinedBehaviorSanitizer, and hence not inlined into functions that are. The
  // sanitizer's check for null would look at the flags of the addition that makes the address of a thread-local; but
  // the linker turns that addition into an instruction that sets no flags, so the check would see the flags of another
  // one.
  [[nodiscard]] __attribute__((no_sanitize("undefined"))) static thread_state& of_this_thread() noexcept {
    return the_state_;
  }
  // A pointer that differs between any two threads that live at the same time.
  [[nodiscard]] static const void* identity() noexcept { return &the_state_; }

 private:
  // This object lies in the storage that a thread has from its start. So an access costs the computation of one
  // address, in a shared library too.
  [[gnu::tls_model("initial-exec")]] static constinit thread_local thread_state the_state_;
};

}  // namespace tact::sync
