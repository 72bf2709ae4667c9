// The naive alternative to an actor library: a few threads, each with a queue behind a mutex and a condition variable.
// Actors are objects, each of which belongs to one thread.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "programs/program.hpp"

namespace bench {

inline constexpr const char* pool_runtime = "threads with mutex and condition variable queues";

template <class Message>
class pool {
 public:
  class actor {
   public:
    virtual ~actor() = default;
    virtual void receive(pool& from, const Message& message) = 0;

   private:
    friend class pool;
    std::size_t thread_ = 0;
  };

  explicit pool(unsigned threads) : queues_(threads) {
    for (queue& q : queues_) threads_.emplace_back([this, &q] { run(q); });
  }
  pool(const pool&) = delete;
  pool& operator=(const pool&) = delete;
  ~pool() {
    for (queue& q : queues_) {
      std::lock_guard lock(q.mutex);
      q.ends = true;
      q.filled.notify_one();
    }
    for (std::thread& t : threads_) t.join();
  }

  // Gives the actor to one of the threads, in turn. By one thread at a time.
  void place(actor& a) { a.thread_ = next_++ % queues_.size(); }
  // On the thread of an actor that is there already. By any thread.
  static void place_beside(actor& a, const actor& other) { a.thread_ = other.thread_; }

  void send(actor& to, const Message& message) {
    queue& q = queues_[to.thread_];
    std::unique_lock lock(q.mutex);
    const bool was_empty = q.waiting.empty();
    q.waiting.emplace_back(&to, message);
    lock.unlock();
    if (was_empty) q.filled.notify_one();
  }

 private:
  struct alignas(128) queue {
    std::mutex mutex;
    std::condition_variable filled;
    std::vector<std::pair<actor*, Message>> waiting;
    bool ends = false;
  };

  void run(queue& q) {
    std::vector<std::pair<actor*, Message>> taken;
    while (true) {
      {
        std::unique_lock lock(q.mutex);
        q.filled.wait(lock, [&] { return !q.waiting.empty() || q.ends; });
        if (q.waiting.empty()) return;
        taken.swap(q.waiting);
      }
      for (auto& [to, message] : taken) to->receive(*this, message);
      taken.clear();
    }
  }

  std::vector<queue> queues_;
  std::size_t next_ = 0;
  std::vector<std::thread> threads_;  // last: they use the others
};

}  // namespace bench
