// What a thread is to the engines, and what it remembers from one call to the next.
#pragma once

#include <cstdint>

namespace tact::detail {
struct context_node;
}
namespace tact::dispatch {
class announcements;
}

namespace tact::sync {

// One for each thread; in a simulation one for each thread that is simulated, exchanged when another has its turn.
// Hence nothing else in the library that says who runs is thread-local. Thread safety: the thread's own.
struct thread_state {
  // The shard to which this thread sent last from outside: messages that may go anywhere stay together. Every change of
  // shard moves cache lines from worker to worker, so a thread stays with one while that shard's worker keeps up. It is
  // a preference and nothing else: a shard that belongs to another engine by now, or to no worker that has time, costs
  // time, not messages.
  struct outside_sender {
    const void* to = nullptr;  // a dispatcher; never followed: the engine may be gone
    std::uint32_t shard = 0;
    std::uint64_t behind_ns = 0;  // how far that shard was behind after the last message
  };

  void* worker = nullptr;                         // see actors::this_thread
  void* handler = nullptr;                        // the same
  bool in_sink = false;                           // it is in the user's sink for dead letters
  bool in_wake = false;                           // it calls a loop that is to pump
  bool never_waits = false;                       // it is the engine's, though no worker: it serves the timers
  unsigned loops = 0;                             // see tact::loop: it must not wait
  bool in_user_code = false;                      // of a handler; known in simulations only
  bool ends_process = false;                      // see actors::stay
  const detail::context_node* context = nullptr;  // of what it sends from outside of handlers
  outside_sender sender;
  dispatch::announcements* announcements = nullptr;  // what it brings from outside is announced there; null: at once
  const void* inside = nullptr;                      // see actors::stay

  // Not checked for null, and so not inlined where others are: the linker turns the addition that makes a thread-local
  // address into one that sets no flags, and UndefinedBehaviorSanitizer would look at those of another instruction.
  [[nodiscard]] __attribute__((no_sanitize("undefined"))) static thread_state& of_this_thread() noexcept {
    return the_state_;
  }
  // Different for each thread that lives.
  [[nodiscard]] static const void* identity() noexcept { return &the_state_; }

 private:
  // In the storage that a thread has from its beginning: reaching it costs one address, in a shared library too.
  [[gnu::tls_model("initial-exec")]] static constinit thread_local thread_state the_state_;
};

}  // namespace tact::sync
