// A thread of the plain executor, and its stealing.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>

#include "peers/plain/queue.hpp"
#include "peers/plain/sleeper.hpp"

namespace bench {

class plain_executor;

// A thread has a fixed number of slots, with a queue in each, and goes round them. Queues move between threads in one
// way only: a thief swaps one of its own, in which nothing waits, for one of a victim, in which something does.
//
// No message is forgotten:
// - The owner of a queue is set while the queue is in no slot, so by one thread at a time. It is the thread that has
// the
//   queue next in one of its slots.
// - A push into an empty queue wakes the owner if it is asleep; so does put_back() if something was pushed meanwhile. A
//   thread announces that it will sleep before it looks into its queues, under their locks: either it finds the
//   message, or they find it asleep.
// - That needs the queues of a sleeper to stay the same. It announces that it will sleep, and then reads its slots; a
//   thief changes a slot of its victim, and then looks whether the victim is asleep. These four steps are seq_cst:
//   either the sleeper finds the queue that it was given, or the thief wakes it.
// - A push into a queue that is on its way may wake a thread that does not have it, or not yet. But the victim is woken
//   when it has it, and the thief goes round its slots before it sleeps.
class alignas(128) plain_worker {
 public:
  plain_worker(plain_executor& of, unsigned number) : of_(of), number_(number) {}

  static void send(const plain_address& to, const plain_content& what) { to.at->push({to.to, what}); }
  // Something that the program waits for has come to its end: an actor, or a message that was on its way.
  void end_one() { ++ended_; }

 private:
  friend class plain_executor;
  using slot = std::atomic<plain_queue*>;
  // A queue, and the slot in which it was seen.
  struct place {
    slot* at = nullptr;
    plain_queue* queue = nullptr;
  };

  void run();
  bool run_all();
  void sleep();
  void steal();
  [[nodiscard]] place find(bool (plain_queue::*seems)() const, std::size_t first);
  bool trade(const place& own, plain_worker& victim, const place& wanted);

  plain_executor& of_;
  const unsigned number_;
  std::deque<slot> slots_;  // none is null but while this thread steals into it
  plain_queue::letters taken_;
  std::uint64_t handled_ = 0;
  std::uint64_t ended_ = 0;  // and not told of yet
  std::uint64_t attempts_ = 0;
  std::uint64_t steals_ = 0;

  plain_sleeper sleeper_;
  alignas(128) std::atomic<std::chrono::nanoseconds::rep> tried_at_{0};  // when it last tried to steal
};

}  // namespace bench
