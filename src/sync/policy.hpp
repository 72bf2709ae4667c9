// The only alias of std::atomic in src/. Kernels (shard word, cell, epochs, eventcount) are templates over a policy:
// sync::real, which is defined here, or that of the schedule explorer, in tools/explorer/simulated.hpp.
#pragma once

#include <atomic>
#include <cstdint>

#include "sync/fault.hpp"
#include "sync/mutex.hpp"
#include "sync/system.hpp"

namespace tact::sync {

// Real atomics and the real futex; but a thread of a simulated user program sleeps and wakes by its simulation.
struct real {
  template <class T>
  using atomic = std::atomic<T>;
  using mutex = sync::mutex;

  // One round of a spin loop: tells the processor, or lets another thread of the simulation run.
  static void pause() noexcept;
  // Sleeps while `word` holds `expected`; may wake spuriously. False: the deadline passed.
  static bool futex_wait(const atomic<std::uint32_t>& word, std::uint32_t expected, deadline until = {}) noexcept;
  static void futex_wake(const atomic<std::uint32_t>& word, int threads) noexcept;  // wakes up to `threads` sleepers
  // When this returns, every thread of the process has made its earlier stores visible, and what a thread reads from
  // then on is no older than what the caller saw before the call. False: this system cannot do that.
  [[nodiscard]] static bool barrier_for_all() noexcept;
  // The other side of barrier_for_all: the compiler keeps what is written before the call in front of what is read
  // after it, as far as this thread can tell. It costs no instruction.
  static void keep_order() noexcept { std::atomic_signal_fence(std::memory_order_seq_cst); }
  // A fault that a test planted; the real policy has none, so the branch is not compiled.
  static constexpr bool planted(fault) noexcept { return false; }
};

// A policy's atomic for state that is no kernel of its own: counters, hints, flags.
template <class T>
using atomic = real::atomic<T>;

}  // namespace tact::sync
