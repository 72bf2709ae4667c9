// Whose turn it is to use the place for a stack: the thread that has asked another one for its stack, or that one.
// Protocol page: docs/protocols/stack_slot.md.
#pragma once

#include <cstdint>

#include "sync/fault.hpp"

namespace tact::inspect {

//   the thread that asks                                 the thread that is asked, in a handler of signals
//     1. ask: the slot names the other thread              1. begin: false, if the slot does not name it (any more)
//     2. send the signal, and wait until it is written     2. write the stack to the place
//        or the time is over: withdraw, or leave           3. written
//     3. if it is written: read the place, let go
//
// Invariant: a thread writes to the place only between begin and written, and no other thread writes or reads it then.
// A thread that gets the signal late finds that the slot does not name it, and writes nothing.
// Thread safety: any thread. begin and written may be called in a handler of signals.
template <class Sync>
class stack_slot {
 public:
  // -- the thread that asks
  // False: the slot is not free, because another thread asks, or one that was left still writes.
  [[nodiscard]] bool ask(std::uint32_t thread) noexcept { return moves(is_free, named(thread, asked)); }
  [[nodiscard]] bool is_written() const noexcept { return (word_.load() & states) == written_to; }
  // The thread that was asked has not begun, and never will. False: it has begun.
  [[nodiscard]] bool withdraw(std::uint32_t thread) noexcept {
    if (!Sync::planted(sync::fault::stack_withdrawn_unlooked)) return moves(named(thread, asked), is_free);
    word_.store(is_free);
    return true;
  }
  // The thread that was asked has begun, and is waited for no longer: the slot is free when it has written. False: it
  // has written just now.
  [[nodiscard]] bool leave(std::uint32_t thread) noexcept {
    const std::uint32_t next = Sync::planted(sync::fault::stack_left_free) ? is_free : named(thread, left);
    return moves(named(thread, writing), next);
  }
  // REQUIRES: is_written.
  void let_go() noexcept { word_.store(is_free); }
  // In a forked process, which has only the thread that forked. REQUIRES: that thread asks for nothing.
  void begin_anew() noexcept { word_.store(is_free); }

  // -- the thread that is asked
  // True: it may write, and has to call written.
  [[nodiscard]] bool begin(std::uint32_t thread) noexcept {
    return moves(named(thread, asked), named(thread, writing));
  }
  void written(std::uint32_t thread) noexcept {
    if (!moves(named(thread, writing), named(thread, written_to))) word_.store(is_free);
  }

 private:
  // The low three bits of the word; above them is the number of the thread that is asked. Linux has fewer than 2^22.
  enum state : std::uint32_t { is_free, asked, writing, written_to, left };
  static constexpr unsigned state_bits = 3;
  static constexpr std::uint32_t states = (1U << state_bits) - 1;
  [[nodiscard]] static constexpr std::uint32_t named(std::uint32_t thread, state s) noexcept {
    return thread << state_bits | s;
  }
  [[nodiscard]] bool moves(std::uint32_t from, std::uint32_t to) noexcept {
    return word_.compare_exchange_strong(from, to);
  }

  typename Sync::template atomic<std::uint32_t> word_{is_free};
};

}  // namespace tact::inspect
