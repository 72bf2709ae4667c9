// A plain executor of actors, by hand: threads with several queues each, and a lock for each queue. So does C∀.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "peers/plain/spin_lock.hpp"
#include "programs/program.hpp"

namespace bench {

inline constexpr const char* plain_runtime = "threads with a spin lock for each of their queues";

// As many as an engine of tact has unless it is told otherwise.
inline unsigned read_plain_shards(program& p) {
  const unsigned ordinary = p.threads() == 1 ? 1 : 8 * p.threads();
  const auto shards = static_cast<unsigned>(p.number("shards", ordinary, ordinary, "queues of all threads together"));
  p.require(shards % p.threads() == 0, "--shards is a multiple of --threads");
  return shards;
}

// An actor belongs to a queue, and a queue to a thread, for ever: no thread takes work from another. A send pushes one
// message into the queue of its target, under the lock of that queue, whoever sends and wherever the target is. The
// thread of a queue swaps the array of messages for an empty one under the same lock, and then runs all that were in
// it. Three things are better than they would have to be, so that a comparison tells of the locks and of nothing else:
// a queue has its lines of memory for itself, an address says which queue it is, so that a send reads nothing of its
// target, and who finds nothing to do sleeps. Of an actor system it lacks ends of actors, failures and stealing.
class plain_executor {
 public:
  class actor;
  class worker;
  class shard;

  struct address {
    actor* to = nullptr;
    shard* at = nullptr;
  };
  // What a message carries; each program has a use of its own for it.
  struct content {
    std::uint32_t kind = 0;
    std::uint32_t small = 0;
    std::uint64_t value = 0;
  };

  // It runs until so many ends were told of, see worker::end_one.
  plain_executor(unsigned threads, unsigned shards, std::uint64_t ends);
  plain_executor(const plain_executor&) = delete;
  plain_executor& operator=(const plain_executor&) = delete;

  // Gives the actor to one of the queues, in turn: number i to queue i % shards, and that to thread i % threads. By one
  // thread at a time.
  address place(actor& a);
  // By any thread.
  static void send(const address& to, const content& what);
  // Returns when all ends were told of.
  void wait();
  // Once, after wait(): all messages were handled, `messages` in number, and none was left.
  void check(program& p, std::uint64_t messages);

 private:
  void end(std::uint64_t count);

  std::deque<worker> workers_;
  std::vector<std::thread> threads_;
  std::uint64_t placed_ = 0;
  unsigned shards_;

  alignas(128) std::atomic<std::uint64_t> ends_left_;
  alignas(128) std::atomic<bool> is_over_{false};
  std::mutex mutex_;
  std::condition_variable over_;
};

class plain_executor::actor {
 public:
  virtual ~actor() = default;
  virtual void receive(worker& on, const content& message) = 0;
};

// A queue: an array of messages that grows, and its lock.
class alignas(128) plain_executor::shard {
 public:
  struct letter {
    actor* to;
    content what;
  };
  using letters = std::vector<letter>;

  explicit shard(worker& owner) : owner_(owner) {}
  void push(const letter& m);
  // What its owner does. A glance needs no lock, and may be too late by one push.
  [[nodiscard]] bool seems_empty() const {
    // relaxed: a hint; take() looks again under the lock.
    return !has_letters_.load(std::memory_order_relaxed);
  }
  [[nodiscard]] bool is_empty() {
    const std::lock_guard lock(lock_);
    return letters_.empty();
  }
  void take(letters& empty) {
    const std::lock_guard lock(lock_);
    letters_.swap(empty);
    // relaxed: all its writes are under the lock, and who reads it without is content with a hint.
    has_letters_.store(false, std::memory_order_relaxed);
  }

 private:
  spin_lock lock_;
  std::atomic<bool> has_letters_{false};
  letters letters_;
  worker& owner_;
};

// A thread and its queues.
class alignas(128) plain_executor::worker {
 public:
  worker(plain_executor& of, unsigned shards) : of_(of) {
    for (unsigned i = 0; i < shards; ++i) shards_.emplace_back(*this);
  }
  static void send(const address& to, const content& what) { plain_executor::send(to, what); }
  // Something that the program waits for has come to its end: an actor, or a message that was on its way.
  void end_one() { ++ended_; }

 private:
  friend class plain_executor;

  void run();
  bool run_all();
  // Before it sleeps it looks into all its queues, under their locks; who pushes into an empty queue looks, under the
  // same lock, whether it sleeps. So one of the two sees the other.
  void sleep();
  // By a thread that has pushed: at most one of all that find it asleep wakes it.
  void wake_if_asleep() {
    // relaxed: the lock of the queue orders it, see sleep(). The exchange only says who of several is to wake it.
    if (is_asleep_.load(std::memory_order_relaxed) && is_asleep_.exchange(false, std::memory_order_relaxed)) wake();
  }
  void wake();

  plain_executor& of_;
  std::deque<shard> shards_;
  shard::letters taken_;
  std::uint64_t handled_ = 0;
  std::uint64_t ended_ = 0;  // and not told of yet

  alignas(128) std::atomic<bool> is_asleep_{false};
  std::mutex mutex_;
  std::condition_variable woken_;
  bool must_wake_ = false;  // stays set until the worker has seen it, however late the one comes who wakes it
};

// -- the executor

inline plain_executor::plain_executor(unsigned threads, unsigned shards, std::uint64_t ends)
    : shards_(shards), ends_left_(ends) {
  for (unsigned i = 0; i < threads; ++i) workers_.emplace_back(*this, shards / threads);
  for (worker& w : workers_) threads_.emplace_back([&w] { w.run(); });
}

inline plain_executor::address plain_executor::place(actor& a) {
  const std::uint64_t number = placed_++ % shards_;
  return {&a, &workers_[number % workers_.size()].shards_[number / workers_.size()]};
}

inline void plain_executor::send(const address& to, const content& what) { to.at->push({to.to, what}); }

inline void plain_executor::wait() {
  std::unique_lock lock(mutex_);
  // relaxed: the mutex orders it.
  over_.wait(lock, [this] { return is_over_.load(std::memory_order_relaxed); });
}

inline void plain_executor::end(std::uint64_t count) {
  // release, acquire: what all workers did is done before the last one says that it is over.
  if (ends_left_.fetch_sub(count, std::memory_order_acq_rel) != count) return;
  {
    const std::lock_guard lock(mutex_);
    // relaxed: for wait() the mutex orders it, and for a worker that sleeps its own mutex; to others it is a hint.
    is_over_.store(true, std::memory_order_relaxed);
  }
  over_.notify_one();
  for (worker& w : workers_) w.wake();
}

inline void plain_executor::check(program& p, std::uint64_t messages) {
  for (std::thread& t : threads_) t.join();
  std::uint64_t handled = 0;
  for (worker& w : workers_) {
    handled += w.handled_;
    for (shard& s : w.shards_) p.check(s.is_empty(), "messages were left that nobody handled");
  }
  p.check_equal(handled, messages, "messages handled by all threads");
}

// -- a queue

inline void plain_executor::shard::push(const letter& m) {
  bool was_empty = false;
  {
    const std::lock_guard lock(lock_);
    was_empty = letters_.empty();
    letters_.push_back(m);
    // relaxed: a hint for its owner, as in take().
    if (was_empty) has_letters_.store(true, std::memory_order_relaxed);
  }
  if (was_empty) owner_.wake_if_asleep();
}

// -- a thread

inline void plain_executor::worker::run() {
  constexpr unsigned rounds_max = 1000;  // about as long as a thread needs to sleep and to be woken
  // relaxed: a hint; who sleeps is woken, and looks again after it.
  for (unsigned rounds = 0; !of_.is_over_.load(std::memory_order_relaxed);) {
    if (run_all()) {
      rounds = 0;
    } else if (++rounds != rounds_max) {
      pause_briefly();
    } else {
      sleep();
      rounds = 0;
    }
  }
}

// True if there was anything.
inline bool plain_executor::worker::run_all() {
  bool found = false;
  for (shard& s : shards_) {
    if (s.seems_empty()) continue;
    found = true;
    s.take(taken_);
    for (const shard::letter& m : taken_) m.to->receive(*this, m.what);
    handled_ += taken_.size();
    taken_.clear();
  }
  // Not one by one: all workers write to the number of those that are left.
  if (ended_ != 0) of_.end(std::exchange(ended_, 0));
  return found;
}

inline void plain_executor::worker::sleep() {
  // relaxed: the locks of the queues order it. Who pushes after this thread has looked has the lock after it.
  is_asleep_.store(true, std::memory_order_relaxed);
  bool found = false;
  for (shard& s : shards_) found = !s.is_empty() || found;
  if (!found) {
    std::unique_lock lock(mutex_);
    woken_.wait(lock, [this] { return must_wake_; });
    must_wake_ = false;
  }
  // relaxed: who still reads the old value wakes a thread that does not sleep, and that is no harm.
  is_asleep_.store(false, std::memory_order_relaxed);
}

inline void plain_executor::worker::wake() {
  {
    const std::lock_guard lock(mutex_);
    must_wake_ = true;
  }
  woken_.notify_one();
}

}  // namespace bench
