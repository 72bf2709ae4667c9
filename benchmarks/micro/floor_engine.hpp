// Floors of an engine, one thread: the ideal loop for each kind of actor, with nothing in it that it could do without.
// For the micro benchmarks and for the suite.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "micro/floor_lane.hpp"

namespace tact::bench {

struct engine;
struct actor;

// Here and in the benchmarks of the engine: one payload word, 64 actors, each handler sends one message on.
struct alignas(32) envelope {
  void (*handler)(engine&, envelope&);
  actor* to;
  std::uint64_t left;
  std::uint64_t spare;
};

// An immutable behaviour, replaced as a whole.
struct alignas(64) closure {
  void (*handler)(engine&, closure&, envelope&);
  std::uint64_t handled;
  closure* next_free;
};

struct alignas(64) actor {
  std::atomic<closure*> word{nullptr};  // of becoming actors
  std::uint64_t handled = 0;            // of the others
  actor* next = nullptr;
};

struct engine {
  floor_lane<envelope> lane;
  std::uint64_t committed = 0;
  std::uint64_t ended = 0;     // actors
  closure* becomes = nullptr;  // staged by the handler that runs
  closure* free_closures = nullptr;
  actor* free_actors = nullptr;
  std::vector<closure*> limbo;
};

// -- the handlers

inline void pass_on(engine& e, envelope& m) {
  ++m.to->handled;
  if (m.left != 0) e.lane.push({m.handler, m.to->next, m.left - 1, 0});
}

inline closure& take_closure(engine& e) {
  closure* c = e.free_closures;
  if (c == nullptr) return *new closure{};
  e.free_closures = c->next_free;
  return *c;
}
inline void free_closure(engine& e, closure* c) {
  c->next_free = e.free_closures;
  e.free_closures = c;
}

inline void count_and_pass_on(engine& e, closure& self, envelope& m) {
  if (m.left != 0) e.lane.push({nullptr, m.to->next, m.left - 1, 0});
  closure& next = take_closure(e);
  next.handler = self.handler;
  next.handled = self.handled + 1;
  e.becomes = &next;
}

// -- the loops

// Classic: call.
inline void run_direct(engine& e) {
  while (!e.lane.empty()) {
    envelope& m = e.lane.front();
    m.handler(e, m);
    e.lane.pop();
  }
}

// Staged: sends written in place behind a mark, cut back to it when the handler throws.
inline void run_staged(engine& e) {
  while (!e.lane.empty()) {
    envelope& m = e.lane.front();
    const auto mark = e.lane.here();
    try {
      m.handler(e, m);
      ++e.committed;
    } catch (...) {
      e.lane.cut(mark);
    }
    e.lane.pop();
  }
}

inline void collect(engine& e) {
  for (closure* c : e.limbo) free_closure(e, c);
  e.limbo.clear();
}

// Becoming: as staged; then one compare-and-swap, and the old behaviour waits in limbo until the loop holds none.
inline void run_becoming(engine& e) {
  while (!e.lane.empty()) {
    envelope& m = e.lane.front();
    closure* seen = m.to->word.load(std::memory_order_acquire);
    const auto mark = e.lane.here();
    try {
      seen->handler(e, *seen, m);
      if (m.to->word.compare_exchange_strong(seen, e.becomes, std::memory_order_acq_rel)) {
        e.limbo.push_back(seen);
        ++e.committed;
      }
    } catch (...) {
      e.lane.cut(mark);
    }
    e.lane.pop();
    if (e.limbo.size() == 256) collect(e);
  }
}

// -- tokens in a ring

inline std::vector<actor> make_ring(std::size_t actors) {
  std::vector<actor> ring(actors);
  for (std::size_t i = 0; i < actors; ++i) ring[i].next = &ring[(i + 1) % actors];
  return ring;
}

// -- create, send and end: actors from a free list, on which the one that ends is put back at once

inline void make_next(engine& e, envelope& m) {
  if (m.left != 0) {
    actor* made = e.free_actors;
    if (made == nullptr) {
      made = new actor;
    } else {
      e.free_actors = made->next;
    }
    e.lane.push({m.handler, made, m.left - 1, 0});
  }
  ++e.ended;
  m.to->next = e.free_actors;
  e.free_actors = m.to;
}

inline void free_closures(engine& e) {
  collect(e);
  while (e.free_closures != nullptr) delete std::exchange(e.free_closures, e.free_closures->next_free);
}
inline void free_actors(engine& e) {
  while (e.free_actors != nullptr) delete std::exchange(e.free_actors, e.free_actors->next);
}

}  // namespace tact::bench
