// Whether a thread drives the worker of an engine without worker threads, and whether the loop knows of work.
#pragma once

#include <cstdint>

#include "sync/policy.hpp"

namespace tact::dispatch {

// word = driven | lent | told | closed; at most one of driven, lent and closed.
//
//   driven  a thread is in run, or in pump, which says on return whether something is left
//   lent    a thread that waits for something drives meanwhile; it calls the loop if it leaves something behind
//   told    the loop knows that it should pump: it was called, or its last pump said that something is left
//   closed  the engine has ended
//
// A sender that finds the word 0 turns it to told and calls the loop. A sender that finds anything else relies on the
// loop, which was told, or on the thread that drives, which looks again after it has let go.
//
// Thread safety: ring from any thread, after a seq_cst change of what a driver looks at; leave by the thread that
// entered. Invariants: (1) one thread drives at a time; (2) after a ring that returned true no other does before the
// next pump; (3) a message that comes is seen by the thread that drives, or the loop is told of it. Protocol page:
// docs/protocols/pump.md.
template <class Sync>
class pump_word {
 public:
  enum class entry : unsigned char { entered, is_lent, is_driven, is_closed };

  // Enters to pump. While a thread that waits drives, it only clears told: so that thread tells the loop anew if it
  // leaves something.
  [[nodiscard]] entry try_drive() noexcept {
    std::uint32_t seen = word_.load();
    for (;;) {
      if ((seen & closed) != 0) return entry::is_closed;
      if ((seen & driven) != 0) return entry::is_driven;
      const bool is_lent = (seen & lent) != 0;
      std::uint32_t wanted = is_lent ? lent : driven;
      if (Sync::planted(sync::fault::told_while_lent) && is_lent) wanted = seen;
      if (Sync::planted(sync::fault::pumped_by_two)) {
        word_.store(wanted);
      } else if (!word_.compare_exchange_weak(seen, wanted)) {
        continue;
      }
      return is_lent ? entry::is_lent : entry::entered;
    }
  }
  // Enters to drive while the caller waits for something.
  [[nodiscard]] bool try_lend() noexcept {
    std::uint32_t seen = word_.load();
    while ((seen & (driven | lent | closed)) == 0) {
      if (word_.compare_exchange_weak(seen, seen | lent)) return true;
    }
    return false;
  }

  // Lets go; the caller tells the loop that something is left.
  void leave_told() noexcept { word_.exchange(told); }
  // Lets go. True: `anything()` is there of which the loop was not told; the caller tells it. `anything()` looks with
  // seq_cst loads.
  template <class Anything>
  [[nodiscard]] bool leave(Anything anything) noexcept {
    if ((word_.fetch_and(~(driven | lent)) & told) != 0) return false;
    return !Sync::planted(sync::fault::pump_left_without_look) && anything() && ring();
  }

  // Something has come. True: the caller calls the loop.
  [[nodiscard]] bool ring() noexcept {
    std::uint32_t seen = word_.load();
    while (seen == 0) {
      if (Sync::planted(sync::fault::rung_twice)) {
        word_.store(told);
        return true;
      }
      if (word_.compare_exchange_weak(seen, told)) return true;
    }
    return false;
  }

  // Closes the word for ever. False: a thread drives.
  [[nodiscard]] bool try_close() noexcept {
    std::uint32_t seen = word_.load();
    while ((seen & (driven | lent)) == 0) {
      if ((seen & closed) != 0 || word_.compare_exchange_weak(seen, closed)) return true;
    }
    return false;
  }

 private:
  static constexpr std::uint32_t driven = 1, lent = 2, told = 4, closed = 8;

  // Values: see above. Written by threads that enter, leave or close, and by senders.
  typename Sync::template atomic<std::uint32_t> word_{0};
};

}  // namespace tact::dispatch
