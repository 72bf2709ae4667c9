// The least that carries messages between actors on several threads, by hand: what an actor library is compared with.
#pragma once

#include <atomic>
#include <bit>
#include <cstdint>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "programs/program.hpp"

namespace bench {

// As many as an engine has shards unless it is told otherwise.
inline unsigned read_partitions(program& p) {
  const unsigned ordinary = p.threads() == 1 ? 1 : 8 * p.threads();
  const auto partitions = static_cast<unsigned>(p.number("shards", ordinary, ordinary, "partitions of the actors"));
  p.require(std::has_single_bit(p.threads()) && std::has_single_bit(partitions) && partitions >= p.threads(),
            "--threads and --shards are powers of two, and there are as many shards as threads");
  return partitions;
}

// Of an actor system it has: messages of 32 bytes in chunks of 4 KiB; a cell on a line of its own that is looked up for
// each message, and the actor's object behind it; a lane for each partition of the actors, run in turn; one stream of
// chunks per pair of threads, whose receiver deals the messages out to its lanes; and looking ahead, which is worth a
// factor of two once the actors do not fit into the first cache. It lacks generations, journals, stealing, sleeping and
// ending: it looks for messages until so many were handled. Actor number i lives in partition i % partitions, and that
// on thread partition % threads; both numbers are powers of two.
class exchange {
 public:
  class thread;
  struct message {
    using handler = void (*)(thread& on, void* actor, message& m);
    handler handle;
    std::uint32_t to;
    std::uint32_t small;
    std::uint64_t left;
    std::uint64_t unused;
  };
  static_assert(sizeof(message) == 32);

  exchange(unsigned threads, unsigned partitions);
  // The next actor, whose number is how many there were. Before run().
  void add(void* object) { cells_.push_back({1, object}); }
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
    alignas(64) message messages[capacity];
  };
  struct lane {
    chunk* oldest = nullptr;
    chunk* newest = nullptr;
  };
  struct alignas(128) inbox {
    std::atomic<chunk*> newest{nullptr};
  };

  std::vector<cell> cells_;
  std::vector<inbox> inboxes_;
  std::vector<std::unique_ptr<thread>> threads_;
  alignas(128) std::atomic<std::uint64_t> handled_{0};
};

class exchange::thread {
 public:
  thread(exchange& of, unsigned number, unsigned lanes, unsigned threads)
      : of_(of),
        number_(number),
        thread_mask_(threads - 1),
        thread_bits_(std::countr_zero(threads)),
        lane_mask_(lanes - 1),
        lanes_(lanes),
        outgoing_(threads) {}

  void send(const message& m) {
    const unsigned owner = m.to & thread_mask_;
    owner == number_ ? append(lanes_[lane_of(m)], m) : send_to(owner, m);
  }
  void run(std::uint64_t messages) {
    while (of_.handled_.load(std::memory_order_relaxed) != messages) {
      std::uint64_t handled = 0;
      for (lane& l : lanes_) {
        handled += run_lane(l);
        deal_out();
      }
      publish_all();
      deal_out();
      if (handled != 0) of_.handled_.fetch_add(handled, std::memory_order_relaxed);
    }
  }

 private:
  [[nodiscard]] std::size_t lane_of(const message& m) const { return (m.to >> thread_bits_) & lane_mask_; }

  void append(lane& l, const message& m) {
    if (l.newest == nullptr || l.newest->size == chunk::capacity) {
      chunk* const added = take();
      (l.newest == nullptr ? l.oldest : l.newest->next) = added;
      l.newest = added;
    }
    l.newest->messages[l.newest->size++] = m;
  }
  void send_to(unsigned owner, const message& m) {
    chunk*& open = outgoing_[owner];
    if (open == nullptr) open = take();
    open->messages[open->size++] = m;
    if (open->size == chunk::capacity) publish(owner, std::exchange(open, nullptr));
  }
  void publish_all() {
    for (unsigned to = 0; to < outgoing_.size(); ++to) {
      if (outgoing_[to] != nullptr) publish(to, std::exchange(outgoing_[to], nullptr));
    }
  }
  void publish(unsigned to, chunk* c) {
    std::atomic<chunk*>& newest = of_.inboxes_[to].newest;
    c->next = newest.load(std::memory_order_relaxed);
    while (!newest.compare_exchange_weak(c->next, c, std::memory_order_release, std::memory_order_relaxed)) {
    }
  }

  // What is there now; what comes meanwhile has its turn in the next round.
  std::uint64_t run_lane(lane& l) {
    std::uint64_t handled = 0;
    chunk* c = l.oldest;
    l = {};
    while (c != nullptr) {
      run_chunk(*c);
      handled += c->size;
      give(std::exchange(c, c->next));
    }
    return handled;
  }
  void run_chunk(chunk& c) {
    const cell* const cells = of_.cells_.data();
    for (std::uint32_t i = 0; i < c.size; ++i) {
      if (i + 4 < c.size) __builtin_prefetch(&cells[c.messages[i + 4].to]);
      if (i + 2 < c.size) __builtin_prefetch(cells[c.messages[i + 2].to].object);
      message& m = c.messages[i];
      const cell& target = cells[m.to];
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
      for (std::uint32_t i = 0; i < oldest->size; ++i)
        append(lanes_[lane_of(oldest->messages[i])], oldest->messages[i]);
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
  const unsigned thread_mask_;
  const int thread_bits_;
  const std::size_t lane_mask_;
  std::vector<lane> lanes_;
  std::vector<chunk*> outgoing_;  // one for each thread
  chunk* spare_ = nullptr;
  std::vector<std::unique_ptr<chunk>> made_;
};

inline exchange::exchange(unsigned threads, unsigned partitions) : inboxes_(threads) {
  for (unsigned t = 0; t < threads; ++t) {
    threads_.push_back(std::make_unique<thread>(*this, t, partitions / threads, threads));
  }
}

inline void exchange::send(const message& m) { threads_[m.to % threads_.size()]->send(m); }

inline void exchange::run(std::uint64_t messages) {
  std::vector<std::thread> others;
  for (std::size_t t = 1; t < threads_.size(); ++t)
    others.emplace_back([this, t, messages] { threads_[t]->run(messages); });
  threads_[0]->run(messages);
  for (std::thread& t : others) t.join();
}

}  // namespace bench
