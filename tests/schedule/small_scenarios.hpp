// Small scenarios that show one thing each, for the tests of the explorer itself.
#pragma once

#include <optional>
#include <stdexcept>

#include "support/explorer_checks.hpp"
#include "tools/explorer/simulated.hpp"

namespace tact::schedule {

using explorer::check;
using explorer::simulated;
using word = simulated::atomic<std::uint32_t>;

struct two_threads : explorer::scenario {
  unsigned thread_count() const override { return 2; }
};

// Each raises its flag, then looks at the other's: with buffered stores both may see nothing.
template <std::memory_order Order>
struct flags : two_threads {
  word raised[2];
  std::uint32_t seen[2] = {1, 1};
  void thread(unsigned i) override {
    raised[i].store(1, Order);
    seen[i] = raised[1 - i].load(Order);
  }
  void at_end() override { check(seen[0] + seen[1] != 0, "both saw nothing"); }
};
using relaxed_flags = flags<std::memory_order_relaxed>;
using strict_flags = flags<std::memory_order_seq_cst>;

// Stores of one thread become visible in their order, and its own loads see them at once.
struct in_order : two_threads {
  word first, second;
  void thread(unsigned i) override {
    if (i == 0) {
      first.store(1, std::memory_order_relaxed);
      second.store(1, std::memory_order_relaxed);
      check(first.load(std::memory_order_relaxed) == 1, "a thread missed its own store");
    } else if (second.load(std::memory_order_relaxed) == 1) {
      check(first.load(std::memory_order_relaxed) == 1, "stores overtook one another");
    }
  }
};

struct unlocked_count : two_threads {
  word n;
  void thread(unsigned) override { n.store(n.load() + 1); }
  void at_end() override { check(n.load() == 2, "an increment is lost"); }
};

struct locked_count : unlocked_count {
  simulated::mutex mutex;
  void thread(unsigned i) override {
    mutex.lock();
    unlocked_count::thread(i);
    mutex.unlock();
  }
};

struct embrace : two_threads {
  simulated::mutex mutexes[2];
  void thread(unsigned i) override {
    mutexes[i].lock();
    mutexes[1 - i].lock();
    mutexes[1 - i].unlock();
    mutexes[i].unlock();
  }
};

struct endless : two_threads {
  word never;
  void thread(unsigned) override {
    while (never.load() == 0) simulated::pause();
  }
};

// A thread that spins without saying so must let the other one come to what it waits for.
struct spinning : two_threads {
  word go;
  void thread(unsigned i) override {
    if (i == 0) return go.store(1, std::memory_order_release);
    while (go.load() == 0) {
    }
  }
};

struct throwing : two_threads {
  void thread(unsigned i) override {
    if (i == 1) throw std::runtime_error("thrown");
  }
};

// Of two threads that sleep one is woken, and says which it was by waking the other.
struct one_is_woken : explorer::scenario {
  word asleep, go[2];
  unsigned first = 0;
  unsigned thread_count() const override { return 3; }
  void thread(unsigned i) override {
    if (i == 0) {
      while (asleep.load() != 2) simulated::pause();
      simulated::futex_wake(go[0], 1);
      return;
    }
    asleep.fetch_add(1);
    static_cast<void>(simulated::futex_wait(go[0], 0));
    if (first == 0) first = i;
    simulated::futex_wake(go[0], 1);
  }
};

// Everything that a schedule decides comes up: mutexes, sleep with and without deadlines, buffered stores, weak
// compare-and-swaps, pauses.
struct bustle : explorer::scenario {
  word turn, sum, note;
  simulated::mutex mutex;
  unsigned thread_count() const override { return 3; }
  void thread(unsigned i) override {
    for (unsigned round = 0; round < 2; ++round) {
      note.store(i, std::memory_order_relaxed);
      std::uint32_t seen = sum.load();
      while (!sum.compare_exchange_weak(seen, seen + 1)) simulated::pause();
      if (i == 0) {
        turn.fetch_add(1);
        simulated::futex_wake(turn, 1);
      } else {
        const auto deadline = i == 1 ? sync::deadline(std::chrono::steady_clock::time_point{}) : sync::deadline();
        for (std::uint32_t t; (t = turn.load()) == round;) {
          if (!simulated::futex_wait(turn, t, deadline)) break;
        }
        mutex.lock();
        check(note.load() != 0 || sum.load() != 5, "the first thread noted something late");
        mutex.unlock();
      }
    }
    simulated::futex_wake(turn, 2);
  }
};

}  // namespace tact::schedule
