// A plain executor of actors, by hand: threads with several queues each, and a lock for each queue. So does C∀.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "peers/plain/queue.hpp"
#include "peers/plain/sleeper.hpp"
#include "peers/plain/spin_lock.hpp"
#include "peers/plain/worker.hpp"
#include "programs/program.hpp"

namespace bench {

inline constexpr const char* plain_runtime = "threads with a spin lock for each of their queues";

struct plain_options {
  unsigned threads;
  unsigned shards;  // queues of all threads together
  bool steals;
};

// As many queues as an engine of tact has shards unless it is told otherwise. With one queue for each thread there is
// nothing to share, and nothing is stolen; so does C∀.
inline plain_options read_plain_options(program& p) {
  const unsigned ordinary = p.threads() == 1 ? 1 : 8 * p.threads();
  const auto shards = static_cast<unsigned>(p.number("shards", ordinary, ordinary, "queues of all threads together"));
  p.require(shards % p.threads() == 0, "--shards is a multiple of --threads");
  const std::string victims = p.choice("victims", {"longest", "none"}, "whom an idle thread steals from");
  return {p.threads(), shards, victims == "longest" && p.threads() > 1 && shards > p.threads()};
}

class plain_actor {
 public:
  virtual ~plain_actor() = default;
  virtual void receive(plain_worker& on, const plain_content& message) = 0;
};

// An actor belongs to a queue for ever, and a queue to a thread until another one steals it. A send pushes one message
// into the queue of its target, under the lock of that queue, wherever sender and target are. The thread of a queue
// swaps the array of messages for an empty one under the same lock, and then runs all that were in it. Three things are
// better than they would have to be, so that a comparison tells of the locks and of nothing else: a queue has its lines
// of memory for itself, an address says which queue it is, so that a send reads nothing of its target, and a thread
// that finds nothing to do sleeps. Of an actor system it lacks ends of actors and failures.
//
// It steals as C∀ does: a thread that went round its queues twice and found nothing takes a whole queue of the longest
// victim, the thread whose last attempt to steal is the longest ago. That one has had something to do for the longest
// time; how much waits there is not asked. Three things differ, all for the better: a queue is marked as taken under
// its lock, a thief gives an empty queue away for the one that it gets, and idle threads sleep; asleep they do not
// steal.
class plain_executor {
 public:
  using actor = plain_actor;
  using address = plain_address;
  using content = plain_content;
  using worker = plain_worker;

  // It runs until so many ends were told of, see plain_worker::end_one.
  plain_executor(const plain_options& options, std::uint64_t ends);
  plain_executor(const plain_executor&) = delete;
  plain_executor& operator=(const plain_executor&) = delete;

  // Gives the actor to one of the queues, in turn: number i to queue i % shards, and that is at first one of thread
  // i % threads. By one thread at a time.
  address place(actor& a);
  // By any thread.
  static void send(const address& to, const content& what) { worker::send(to, what); }
  // Returns when all ends were told of.
  void wait();
  // Once, after wait(): all messages were handled, `messages` in number, none was left, and no queue was lost. Says how
  // many queues were stolen.
  void check(program& p, std::uint64_t messages);
  [[nodiscard]] bool steals() const { return steals_; }
  // After check().
  [[nodiscard]] std::uint64_t stolen() const;

 private:
  friend class plain_worker;

  void end(std::uint64_t count);
  [[nodiscard]] worker& longest_victim(const worker& thief);

  const bool steals_;
  std::deque<worker> workers_;
  std::deque<plain_queue> queues_;
  std::vector<std::thread> threads_;
  std::uint64_t placed_ = 0;

  alignas(128) std::atomic<std::uint64_t> ends_left_;
  alignas(128) std::atomic<bool> is_over_{false};
  std::mutex mutex_;
  std::condition_variable over_;
};

// -- the executor

inline plain_executor::plain_executor(const plain_options& options, std::uint64_t ends)
    : steals_(options.steals), ends_left_(ends) {
  for (unsigned i = 0; i < options.threads; ++i) workers_.emplace_back(*this, i);
  for (unsigned i = 0; i < options.shards; ++i) {
    worker& owner = workers_[i % options.threads];
    owner.slots_.emplace_back(&queues_.emplace_back(owner.sleeper_, steals_));
  }
  for (worker& w : workers_) threads_.emplace_back([&w] { w.run(); });
}

inline plain_executor::address plain_executor::place(actor& a) { return {&a, &queues_[placed_++ % queues_.size()]}; }

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
  for (worker& w : workers_) w.sleeper_.wake();
}

inline void plain_executor::check(program& p, std::uint64_t messages) {
  for (std::thread& t : threads_) t.join();
  std::uint64_t handled = 0;
  std::set<const plain_queue*> found;
  for (const worker& w : workers_) {
    handled += w.handled_;
    for (const worker::slot& s : w.slots_) {
      const plain_queue& q = *s.load();
      found.insert(&q);
      p.check(q.is_empty(), "messages were left that nobody handled");
      p.check(q.belongs_to(w.sleeper_), "a queue lies with a thread to which it does not belong");
    }
  }
  p.check_equal(found.size(), queues_.size(), "queues that threads have");
  p.check_equal(handled, messages, "messages handled by all threads");
  p.say("steals", std::to_string(stolen()));
}

inline std::uint64_t plain_executor::stolen() const {
  std::uint64_t sum = 0;
  for (const worker& w : workers_) sum += w.steals_;
  return sum;
}

// Of several it is the next one after the thief.
inline plain_worker& plain_executor::longest_victim(const worker& thief) {
  // relaxed: a hint.
  const auto tried_at = [](const worker& w) { return w.tried_at_.load(std::memory_order_relaxed); };
  worker* longest = nullptr;
  for (std::size_t i = 1; i < workers_.size(); ++i) {
    worker& w = workers_[(thief.number_ + i) % workers_.size()];
    if (longest == nullptr || tried_at(w) < tried_at(*longest)) longest = &w;
  }
  return *longest;
}

// -- a thread

inline void plain_worker::run() {
  constexpr unsigned rounds_max = 1000;  // about as long as a thread needs to sleep and to be woken
  constexpr unsigned rounds_of_theft = 2;
  // relaxed: a hint; a thread that sleeps is woken, and looks again after it.
  for (unsigned rounds = 0; !of_.is_over_.load(std::memory_order_relaxed);) {
    if (run_all()) {
      rounds = 0;
    } else if (++rounds == rounds_max) {
      sleep();
      rounds = 0;
    } else if (of_.steals_ && rounds % rounds_of_theft == 0) {
      steal();
    } else {
      pause_briefly();
    }
  }
}

// True if there was anything.
inline bool plain_worker::run_all() {
  bool found = false;
  for (slot& s : slots_) {
    // relaxed: queues live longer than threads, and what is in them is read under their locks.
    plain_queue& q = *s.load(std::memory_order_relaxed);
    if (!q.seems_ready() || !q.take(taken_)) continue;
    found = true;
    for (const plain_queue::letter& m : taken_) m.to->receive(*this, m.what);
    handled_ += taken_.size();
    taken_.clear();
    q.put_back(sleeper_);
  }
  // Not one by one: all workers write to the number of those that are left.
  if (ended_ != 0) of_.end(std::exchange(ended_, 0));
  return found;
}

inline void plain_worker::sleep() {
  sleeper_.announce();
  bool found = false;
  for (slot& s : slots_) found = s.load()->is_ready() || found;
  if (!found) sleeper_.sleep();
  sleeper_.withdraw();
}

inline void plain_worker::steal() {
  plain_worker& victim = of_.longest_victim(*this);
  // relaxed: a hint for other thieves.
  tried_at_.store(std::chrono::steady_clock::now().time_since_epoch().count(), std::memory_order_relaxed);
  const std::size_t first = ++attempts_ % slots_.size();  // C∀ draws it at random
  const place wanted = victim.find(&plain_queue::seems_ready, first);
  if (wanted.at == nullptr) return;
  const place own = find(&plain_queue::seems_idle, first);
  if (own.at != nullptr && trade(own, victim, wanted)) ++steals_;
}

// By any thread: a slot whose queue seems to be so, or none.
inline plain_worker::place plain_worker::find(bool (plain_queue::*seems)() const, std::size_t first) {
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    slot& s = slots_[(first + i) % slots_.size()];
    // relaxed: as in run_all(); trade() changes the slot only if it still holds the same queue.
    plain_queue* const q = s.load(std::memory_order_relaxed);
    if (q != nullptr && (q->*seems)()) return {&s, q};
  }
  return {};
}

// The swap of C∀, which waits for nobody: it fails if another thief was there before. A slot that is null is changed by
// its own thread only, and a queue that is in no slot has a single thread that sets its owner.
inline bool plain_worker::trade(const place& own, plain_worker& victim, const place& wanted) {
  plain_queue* mine = own.queue;
  if (!own.at->compare_exchange_strong(mine, nullptr)) return false;
  if (!mine->pass_if_idle(victim.sleeper_)) {
    own.at->store(mine);
    return false;
  }
  plain_queue* theirs = wanted.queue;
  if (!wanted.at->compare_exchange_strong(theirs, mine)) {
    mine->pass(sleeper_);
    own.at->store(mine);
    return false;
  }
  // Something may have been pushed into the queue before it was there.
  victim.sleeper_.wake_if_asleep();
  theirs->pass(sleeper_);
  own.at->store(theirs);
  return true;
}

}  // namespace bench
