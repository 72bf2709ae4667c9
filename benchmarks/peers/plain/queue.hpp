// A queue of the plain executor: an array of messages that grows, and its lock.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <vector>

#include "peers/plain/sleeper.hpp"
#include "peers/plain/spin_lock.hpp"

namespace bench {

class plain_actor;

// What a message carries; each program has a use of its own for it.
struct plain_content {
  std::uint32_t kind = 0;
  std::uint32_t small = 0;
  std::uint64_t value = 0;
};

class plain_queue;

struct plain_address {
  plain_actor* to = nullptr;
  plain_queue* at = nullptr;
};

// Its owner is the thread to which it belongs now. If queues may be stolen, one that was taken is not taken again
// before it is put back: the messages of a queue never run on two threads at once, and they run in their order.
class alignas(128) plain_queue {
 public:
  struct letter {
    plain_actor* to;
    plain_content what;
  };
  using letters = std::vector<letter>;

  plain_queue(plain_sleeper& owner, bool can_move) : can_move_(can_move), owner_(&owner) {}

  void push(const letter& m) {
    plain_sleeper* sleeper = nullptr;
    {
      const std::lock_guard lock(lock_);
      if (!has_any()) {
        // relaxed: a hint, as all that reads it without the lock takes it.
        has_letters_.store(true, std::memory_order_relaxed);
        // While the queue is taken, put_back() is still to come, and wakes the owner.
        if (!is_busy()) sleeper = owner_;
      }
      letters_.push_back(m);
    }
    if (sleeper != nullptr) sleeper->wake_if_asleep();
  }

  // Glances, which need no lock and may be too late by one step of another thread.
  [[nodiscard]] bool seems_ready() const {
    // relaxed: hints; take() looks again under the lock.
    return has_letters_.load(std::memory_order_relaxed) && !is_taken_.load(std::memory_order_relaxed);
  }
  [[nodiscard]] bool seems_idle() const {
    // relaxed: hints; pass_if_idle() looks again under the lock.
    return !has_letters_.load(std::memory_order_relaxed) && !is_taken_.load(std::memory_order_relaxed);
  }
  // Would take() get anything?
  [[nodiscard]] bool is_ready() {
    const std::lock_guard lock(lock_);
    return has_any() && !is_busy();
  }

  // Swaps what is in the queue for the empty array. False if nothing is there, or another thread runs what was.
  bool take(letters& empty) {
    const std::lock_guard lock(lock_);
    if (!has_any() || is_busy()) return false;
    letters_.swap(empty);
    // relaxed: both are written under the lock only, and read without it as hints.
    has_letters_.store(false, std::memory_order_relaxed);
    if (can_move_) is_taken_.store(true, std::memory_order_relaxed);
    return true;
  }
  // By the thread that has taken it, when all that it got has run. If the queue was stolen meanwhile, its new owner may
  // have gone to sleep because it was taken.
  void put_back(const plain_sleeper& by) {
    if (!can_move_) return;
    plain_sleeper* sleeper = nullptr;
    {
      const std::lock_guard lock(lock_);
      // relaxed: as in take().
      is_taken_.store(false, std::memory_order_relaxed);
      if (has_any() && owner_ != &by) sleeper = owner_;
    }
    if (sleeper != nullptr) sleeper->wake_if_asleep();
  }

  // To another owner. By one thread at a time, see plain_worker::trade().
  void pass(plain_sleeper& to) {
    const std::lock_guard lock(lock_);
    owner_ = &to;
  }
  bool pass_if_idle(plain_sleeper& to) {
    const std::lock_guard lock(lock_);
    if (has_any() || is_busy()) return false;
    owner_ = &to;
    return true;
  }

  // When all threads have ended.
  [[nodiscard]] bool is_empty() const { return !has_any(); }
  [[nodiscard]] bool belongs_to(const plain_sleeper& one) const { return owner_ == &one; }

 private:
  // Under the lock.
  [[nodiscard]] bool has_any() const { return !letters_.empty(); }
  [[nodiscard]] bool is_busy() const {
    // relaxed: the lock orders it.
    return is_taken_.load(std::memory_order_relaxed);
  }

  spin_lock lock_;
  std::atomic<bool> has_letters_{false};
  std::atomic<bool> is_taken_{false};
  const bool can_move_;
  letters letters_;
  plain_sleeper* owner_;
};

}  // namespace bench
