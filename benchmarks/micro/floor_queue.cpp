// Floors of a queue, one thread: 64 messages of 32 bytes are written, then dispatched through their function pointers.
#include <array>
#include <atomic>
#include <memory>
#include <vector>

#include "micro/count.hpp"

namespace tact::bench {
namespace {

constexpr unsigned batch = 64;
constexpr unsigned actors = 64;

struct alignas(64) counter {
  std::uint64_t handled = 0;
};

struct alignas(32) envelope {
  void (*handler)(envelope&);
  counter* to;
  std::uint64_t number;
  std::uint64_t spare;
};

// Every message carries 1 in `number`: a lost or torn one is missed in the sum.
void handle(envelope& e) { e.to->handled += e.number; }

using counters = std::array<counter, actors>;

std::uint64_t sum(const counters& all) {
  std::uint64_t handled = 0;
  for (const counter& c : all) handled += c.handled;
  return handled;
}

struct array_queue {
  std::array<envelope, batch> slots;
  void push(unsigned i, const envelope& e) { slots[i] = e; }
  void publish() { benchmark::DoNotOptimize(slots.data()); }
  void drain() {
    benchmark::ClobberMemory();
    for (envelope& e : slots) e.handler(e);
  }
};

// A chunk of 4 KiB is filled privately, published by one compare-and-swap, drained and kept for the next time.
struct chunk_queue {
  struct chunk {
    chunk* next = nullptr;
    unsigned used = 0;
    std::array<envelope, 127> slots;
  };
  std::unique_ptr<chunk> owned = std::make_unique<chunk>();
  chunk* filling = owned.get();
  std::atomic<chunk*> head{nullptr};

  void push(unsigned, const envelope& e) { filling->slots[filling->used++] = e; }
  void publish() {
    chunk* seen = head.load(std::memory_order_relaxed);
    do {
      filling->next = seen;
    } while (!head.compare_exchange_weak(seen, filling));
  }
  void drain() {
    chunk* taken = head.exchange(nullptr);
    for (unsigned i = 0; i < taken->used; ++i) taken->slots[i].handler(taken->slots[i]);
    taken->used = 0;
    filling = taken;
  }
};

// A lock per message and an array that doubles; the whole of it is swapped out by the reader. The shape of C∀'s queues.
struct locked_queue {
  std::atomic<bool> locked{false};
  std::vector<envelope> shared;
  std::vector<envelope> taken;

  void lock() {
    while (locked.exchange(true, std::memory_order_acquire)) {
    }
  }
  void unlock() { locked.store(false, std::memory_order_release); }
  void push(unsigned, const envelope& e) {
    lock();
    shared.push_back(e);
    unlock();
  }
  void publish() {}
  void drain() {
    lock();
    shared.swap(taken);
    unlock();
    for (envelope& e : taken) e.handler(e);
    taken.clear();
  }
};

template <class Queue>
void write_and_dispatch(benchmark::State& state) {
  Queue queue;
  auto to = std::make_unique<counters>();
  void (*handler)(envelope&) = &handle;
  benchmark::DoNotOptimize(handler);
  std::uint64_t sent = 0;
  for (auto _ : state) {
    for (unsigned i = 0; i < batch; ++i) queue.push(i, {handler, &(*to)[(i * 7) % actors], 1, sent});
    queue.publish();
    queue.drain();
    sent += batch;
  }
  report(state, sent, sum(*to));
}

BENCHMARK(write_and_dispatch<array_queue>)->Name("floor_queue/private_array")->Apply(time_everything);
BENCHMARK(write_and_dispatch<chunk_queue>)->Name("floor_queue/chunk_and_cas")->Apply(time_everything);
BENCHMARK(write_and_dispatch<locked_queue>)->Name("floor_queue/lock_and_doubling_array")->Apply(time_everything);

}  // namespace
}  // namespace tact::bench

BENCHMARK_MAIN();
