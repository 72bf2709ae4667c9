// The least that carries messages between actors on several threads, by hand: what an actor library is compared with.
#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <thread>
#include <utility>
#include <vector>

#include "programs/program.hpp"

namespace bench {

// As many as an engine has shards unless it is told otherwise.
inline unsigned read_partitions(program& p) {
  const unsigned ordinary = p.threads() == 1 ? 1 : 8 * p.threads();
  const auto partitions = static_cast<unsigned>(p.number("shards", ordinary, ordinary, "partitions of the actors"));
  p.require(std::has_single_bit(p.threads()) && std::has_single_bit(partitions) && partitions >= p.threads() &&
                partitions < 1U << 16,
            "--threads and --shards are powers of two, there are as many shards as threads, and fewer than 65,536");
  return partitions;
}

// Values that lie as the actors of an exchange do: those of a partition side by side, in runs of 32. Number i belongs
// to partition i % partitions.
template <class T>
class in_runs {
 public:
  static constexpr std::size_t run = 32;

  in_runs(std::size_t count, unsigned partitions)
      : partitions_(partitions),
        places_((count / partitions / run + 1) * run * partitions),
        memory_(static_cast<T*>(std::aligned_alloc(page_bytes, (places_ * sizeof(T) / page_bytes + 1) * page_bytes))) {
    if (memory_ == nullptr) throw std::bad_alloc();
    made_.reserve(count);
  }
  in_runs(const in_runs&) = delete;
  in_runs& operator=(const in_runs&) = delete;
  ~in_runs() {
    for (T* one : made_) one->~T();
    std::free(memory_);
  }

  // The next value.
  template <class... Arguments>
  T& add(Arguments&&... arguments) {
    const std::size_t number = made_.size();
    const std::size_t in_partition = number / partitions_;
    const std::size_t place = (in_partition / run * partitions_ + number % partitions_) * run + in_partition % run;
    return *made_.emplace_back(::new (memory_ + place) T{std::forward<Arguments>(arguments)...});
  }
  // In the order in which they were added.
  [[nodiscard]] const std::vector<T*>& all() const { return made_; }

 private:
  static constexpr std::size_t page_bytes = 4096;

  const std::size_t partitions_;
  const std::size_t places_;
  T* const memory_;
  std::vector<T*> made_;
};

// Of an actor system it has: messages of 32 bytes in chunks of 4 KiB; refs of 8 bytes, which the actors keep in tables
// as any program must; a cell on a line of its own that is looked up for each message, and the actor's object behind
// it; a lane for each partition of the actors, run in turn; one stream of chunks for each pair of threads, whose
// receiver deals the messages out to its lanes; a note of where each message was written, by which a run could be
// undone; and looking ahead, which is worth a factor of two once the actors do not fit into the first cache. A send
// finds where to write in one table, whether the partition is the thread's own or not: a ref says the partition of its
// actor. The actors of a partition lie side by side. What each of these is worth: docs/crossing.md. It lacks
// generations, stealing, sleeping and ending: it looks for messages until so many were handled. Actor number i lives in
// partition i % partitions, and that on thread partition % threads; both numbers are powers of two.
class exchange {
 public:
  class thread;
  // The address of a cell, and in the upper 16 bits its partition.
  using ref = std::uint64_t;
  struct message {
    using handler = void (*)(thread& on, void* actor, const message& m);
    handler handle;
    ref to;
    std::uint64_t left;
    std::uint32_t small;
    std::uint32_t unused = 0;
  };
  static_assert(sizeof(message) == 32);

  exchange(unsigned threads, unsigned partitions, std::size_t actors);
  // The next actor. Before run().
  [[nodiscard]] ref add(void* object);
  // Messages for the beginning. Before run().
  void send(const message& m);
  // Until so many messages were handled.
  void run(std::uint64_t messages);

 private:
  struct alignas(64) cell {
    std::uint64_t alive;
    void* object;
  };
  struct alignas(64) chunk {
    static constexpr std::uint32_t capacity = 126;
    chunk* next = nullptr;
    std::uint32_t size = 0;
    alignas(64) std::array<message, capacity> messages;
  };
  // A queue of chunks, which is written at its end.
  struct queue {
    message* write = nullptr;
    message* end = nullptr;
    chunk* oldest = nullptr;
    chunk* newest = nullptr;
    int to = -1;  // the thread to which its chunks go; -1: it is a lane

    void settle() const {
      if (newest != nullptr) newest->size = static_cast<std::uint32_t>(write - newest->messages.data());
    }
    [[nodiscard]] chunk* take() {
      settle();
      chunk* const all = oldest;
      write = end = nullptr;
      oldest = newest = nullptr;
      return all;
    }
  };
  struct alignas(128) inbox {
    std::atomic<chunk*> newest{nullptr};
  };
  static constexpr unsigned partition_shift = 48;
  static cell& cell_of(ref to) {
    return *reinterpret_cast<cell*>(static_cast<std::uintptr_t>(to & ((ref{1} << partition_shift) - 1)));
  }

  const unsigned partitions_;
  in_runs<cell> cells_;
  std::vector<inbox> inboxes_;
  std::vector<std::unique_ptr<thread>> threads_;
  alignas(128) std::atomic<std::uint64_t> handled_{0};
};

class exchange::thread {
 public:
  thread(exchange& of, unsigned number, unsigned partitions, unsigned threads)
      : of_(of), number_(number), lanes_(partitions / threads), outgoing_(threads) {
    for (unsigned p = 0; p < partitions; ++p)
      tails_.push_back(p % threads == number ? &lanes_[p / threads] : &outgoing_[p % threads]);
    for (unsigned t = 0; t < threads; ++t) outgoing_[t].to = static_cast<int>(t);
  }

  void send(const message& m) {
    queue& to = *tails_[m.to >> partition_shift];
    notes_[sent_++ % notes_.size()] = &to;
    append(to, m);
  }
  void run(std::uint64_t messages) {
    while (of_.handled_.load(std::memory_order_relaxed) != messages) {
      std::uint64_t handled = 0;
      for (queue& lane : lanes_) {
        handled += run_lane(lane);
        deal_out();
      }
      for (queue& q : outgoing_) {
        if (q.newest != nullptr) publish(q);
      }
      deal_out();
      if (handled != 0) of_.handled_.fetch_add(handled, std::memory_order_relaxed);
    }
  }

 private:
  void append(queue& q, const message& m) {
    if (q.write == q.end) [[unlikely]]
      add_chunk(q);
    *q.write++ = m;
  }
  [[gnu::noinline]] void add_chunk(queue& q) {
    if (q.newest != nullptr) q.to >= 0 ? publish(q) : q.settle();
    chunk* const added = take();
    (q.newest == nullptr ? q.oldest : q.newest->next) = added;
    q.newest = added;
    q.write = added->messages.data();
    q.end = q.write + chunk::capacity;
  }
  void publish(queue& q) {
    std::atomic<chunk*>& newest = of_.inboxes_[static_cast<std::size_t>(q.to)].newest;
    chunk* const c = q.take();
    c->next = newest.load(std::memory_order_relaxed);
    while (!newest.compare_exchange_weak(c->next, c, std::memory_order_release, std::memory_order_relaxed)) {
    }
  }

  // What is there now; what comes meanwhile has its turn in the next round.
  std::uint64_t run_lane(queue& lane) {
    std::uint64_t handled = 0;
    for (chunk* c = lane.take(); c != nullptr;) {
      run_chunk(*c);
      handled += c->size;
      give(std::exchange(c, c->next));
    }
    return handled;
  }
  void run_chunk(const chunk& c) {
    for (std::uint32_t i = 0; i < c.size; ++i) {
      if (i + 12 < c.size) __builtin_prefetch(&cell_of(c.messages[i + 12].to));
      if (i + 6 < c.size) __builtin_prefetch(cell_of(c.messages[i + 6].to).object);
      const message& m = c.messages[i];
      const cell& target = cell_of(m.to);
      sent_ = 0;
      if (target.alive == 1) m.handle(*this, target.object, m);
    }
  }

  void deal_out() {
    std::atomic<chunk*>& newest = of_.inboxes_[number_].newest;
    if (newest.load(std::memory_order_relaxed) == nullptr) return;
    chunk* oldest = nullptr;
    for (chunk* c = newest.exchange(nullptr, std::memory_order_acquire); c != nullptr;) {
      chunk* const next = std::exchange(c->next, oldest);
      oldest = std::exchange(c, next);
    }
    while (oldest != nullptr) {
      for (std::uint32_t i = 0; i < oldest->size; ++i) {
        const message& m = oldest->messages[i];
        append(*tails_[m.to >> partition_shift], m);
      }
      give(std::exchange(oldest, oldest->next));
    }
  }

  [[nodiscard]] chunk* take() {
    if (spare_ == nullptr) return made_.emplace_back(std::make_unique<chunk>()).get();
    chunk* const taken = std::exchange(spare_, spare_->next);
    taken->next = nullptr;
    taken->size = 0;
    return taken;
  }
  void give(chunk* c) {
    c->next = spare_;
    spare_ = c;
  }

  exchange& of_;
  const unsigned number_;
  std::vector<queue> lanes_;
  std::vector<queue> outgoing_;  // one for each thread
  std::vector<queue*> tails_;    // by partition
  std::size_t sent_ = 0;         // by the handler that runs
  std::array<queue*, 64> notes_{};
  chunk* spare_ = nullptr;
  std::vector<std::unique_ptr<chunk>> made_;
};

inline exchange::exchange(unsigned threads, unsigned partitions, std::size_t actors)
    : partitions_(partitions), cells_(actors, partitions), inboxes_(threads) {
  for (unsigned t = 0; t < threads; ++t) threads_.push_back(std::make_unique<thread>(*this, t, partitions, threads));
}

inline exchange::ref exchange::add(void* object) {
  const ref partition = cells_.all().size() % partitions_;
  return reinterpret_cast<std::uintptr_t>(&cells_.add(std::uint64_t{1}, object)) | partition << partition_shift;
}

inline void exchange::send(const message& m) { threads_[(m.to >> partition_shift) % threads_.size()]->send(m); }

inline void exchange::run(std::uint64_t messages) {
  std::vector<std::thread> others;
  for (std::size_t t = 1; t < threads_.size(); ++t)
    others.emplace_back([this, t, messages] { threads_[t]->run(messages); });
  threads_[0]->run(messages);
  for (std::thread& t : others) t.join();
}

}  // namespace bench
