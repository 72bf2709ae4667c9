// Floors of two bare threads: what it costs to get messages from one processing unit to another one.
#include <array>
#include <utility>

#include "micro/floor_locked_queue.hpp"
#include "micro/two_threads.hpp"

namespace tact::bench {
namespace {

struct alignas(64) counter {
  std::uint64_t handled = 0;
};

struct alignas(32) envelope {
  void (*handler)(envelope&);
  counter* to;
  std::uint64_t number;
  std::uint64_t spare;
};

void handle(envelope& e) { e.to->handled += e.number; }

struct alignas(64) chunk {
  chunk* next = nullptr;
  unsigned used = 0;
  std::array<envelope, 127> slots;
};

// -- each sends to the other, in chunks that the consumer keeps

constexpr unsigned batch = 64;
constexpr unsigned batches = 1000;

struct alignas(128) side {
  std::atomic<chunk*> inbox{nullptr};
  alignas(128) chunk* spare = nullptr;
  std::uint64_t received = 0;  // says when to stop; what was handled is counted apart, and compared
  counter count;

  chunk* take() {
    chunk* c = spare;
    if (c == nullptr) return new chunk;
    spare = c->next;
    return c;
  }
  void give(chunk* c) {
    c->used = 0;
    c->next = spare;
    spare = c;
  }
  void drain() {
    if (inbox.load(std::memory_order_relaxed) == nullptr) return;
    for (chunk* c = inbox.exchange(nullptr, std::memory_order_acquire); c != nullptr;) {
      chunk* next = c->next;
      for (unsigned i = 0; i < c->used; ++i) c->slots[i].handler(c->slots[i]);
      received += c->used;
      give(c);
      c = next;
    }
  }
  ~side() {
    while (spare != nullptr) delete std::exchange(spare, spare->next);
  }
};

void publish(side& to, chunk* c) {
  chunk* seen = to.inbox.load(std::memory_order_relaxed);
  do {
    c->next = seen;
  } while (!to.inbox.compare_exchange_weak(seen, c, std::memory_order_acq_rel, std::memory_order_relaxed));
}

void exchange(side& own, side& other) {
  void (*handler)(envelope&) = &handle;
  benchmark::DoNotOptimize(handler);
  const std::uint64_t wanted = own.received + std::uint64_t{batch} * batches;
  for (unsigned b = 0; b < batches; ++b) {
    chunk* c = own.take();
    for (unsigned i = 0; i < batch; ++i) c->slots[c->used++] = {handler, &other.count, 1, i};
    publish(other, c);
    own.drain();
  }
  while (own.received < wanted) own.drain();
}

void chunks(benchmark::State& state) {
  side sides[2];
  std::uint64_t wanted = 0;
  report_trials(state, batch * batches, [&] {
    trial t = two_threads::run([&](unsigned me) { exchange(sides[me], sides[1 - me]); });
    wanted += batch * batches;
    if (sides[0].count.handled != wanted || sides[1].count.handled != wanted) t.wall_ns = 0;
    return t;
  });
}

// -- one sends to the other, every message visible at once

void lock_each(benchmark::State& state) {
  constexpr std::uint64_t messages = 20'000;
  locked_queue<envelope> queue;
  alignas(128) std::vector<envelope> taken;
  counter count;
  std::uint64_t wanted = 0;
  const auto produce = [&] {
    for (std::uint64_t i = 0; i < messages; ++i) queue.push({&handle, &count, 1, i});
  };
  const auto consume = [&] {
    for (std::uint64_t received = 0; received < messages; received += taken.size()) {
      taken.clear();
      queue.take(taken);
      for (envelope& e : taken) e.handler(e);
    }
    taken.clear();
  };
  report_trials(state, messages, [&] {
    wanted += messages;
    trial t = two_threads::run([&](unsigned me) { me == 0 ? produce() : consume(); });
    if (count.handled != wanted) t.wall_ns = 0;
    return t;
  });
}

// -- one message to and fro, both spinning: per hop

void hop(benchmark::State& state) {
  constexpr std::uint64_t hops = 2000;
  struct alignas(128) box {
    std::atomic<envelope*> message{nullptr};
  };
  box boxes[2];
  counter count;
  std::uint64_t wanted = 0;
  report_trials(state, hops, [&] {
    envelope e{&handle, &count, 1, 0};
    boxes[0].message.store(&e);
    trial t = two_threads::run([&](unsigned me) {
      for (std::uint64_t i = 0; i < hops / 2; ++i) {
        envelope* got;
        while ((got = boxes[me].message.load(std::memory_order_acquire)) == nullptr) {
        }
        boxes[me].message.store(nullptr, std::memory_order_relaxed);
        got->handler(*got);
        boxes[1 - me].message.store(got, std::memory_order_release);
      }
    });
    boxes[0].message.store(nullptr);
    wanted += hops;
    if (count.handled != wanted) t.wall_ns = 0;
    return t;
  });
}

BENCHMARK(chunks)->Name("floor_threads/chunks")->UseManualTime()->Iterations(1);
BENCHMARK(lock_each)->Name("floor_threads/lock_each")->UseManualTime()->Iterations(1);
BENCHMARK(hop)->Name("floor_threads/hop")->UseManualTime()->Iterations(1);

}  // namespace
}  // namespace tact::bench

BENCHMARK_MAIN();
