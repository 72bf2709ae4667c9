// A queue between two threads in which every message is visible at once: a lock per message, as in C∀.
#pragma once

#include <atomic>
#include <vector>

#include "sync/policy.hpp"

namespace tact::bench {

// Lines of its own: next to what the reader writes, the same queue costs twice as much.
template <class Envelope>
struct alignas(128) locked_queue {
  std::atomic<bool> locked{false};
  std::vector<Envelope> shared;

  void lock() {
    while (locked.exchange(true, std::memory_order_acquire)) {
      while (locked.load(std::memory_order_relaxed)) sync::real::pause();
    }
  }
  void unlock() { locked.store(false, std::memory_order_release); }

  void push(const Envelope& e) {
    lock();
    shared.push_back(e);
    unlock();
  }
  // REQUIRES: `into` is empty.
  void take(std::vector<Envelope>& into) {
    lock();
    shared.swap(into);
    unlock();
  }
};

}  // namespace tact::bench
