// Where the records of timers come from: slabs for the life of the process, chains for each engine, a few records kept
// by each thread of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <utility>
#include <vector>

#include "actors/cell_store.hpp"
#include "actors/timer_word.hpp"
#include "sync/policy.hpp"
#include "tact/detail/context_node.hpp"
#include "tact/detail/core.hpp"

namespace tact::detail {

// What only few timers have, in a block of its own.
struct timer_extra {
  timer_again again{};                    // without a period: it fires once
  const context_node* context = nullptr;  // in which its message is sent; held

  // Null: there is nothing to keep. Throws std::bad_alloc.
  [[nodiscard]] static const timer_extra* make(const timer_again* a, const context_node* c) {
    if (a == nullptr && c == nullptr) return nullptr;
    void* const block = allocate_block(sizeof(timer_extra));
    return ::new (block) timer_extra{a == nullptr ? timer_again{} : *a, hold(c)};
  }
  static void end(const timer_extra* e) noexcept {
    if (e == nullptr) return;
    release(e->context);
    free_block(const_cast<timer_extra*>(e), sizeof(timer_extra));
  }
};

// A timer, with the message that it will send: two lines of a cache. Who may touch what: actors::timer_word.
struct alignas(128) timer_record {
  using word_type = actors::timer_word<sync::real>;

  word_type word;
  timer_record* next = nullptr;  // in whatever list it is
  union {
    std::int64_t due_ns = 0;   // while it waits: by the clock of the service; before the commit as `since` says
    timer_record* next_chain;  // of the first one in a chain of free ones
  };
  port to = 0;  // of the first one in a chain of free ones: how many there are
  const message_type* type = nullptr;
  const timer_extra* extra = nullptr;
  alignas(inline_align_max) std::byte payload[inline_bytes_max];

  [[nodiscard]] bool repeats() const noexcept { return extra != nullptr && extra->again.period_ns != 0; }
  // The message itself, behind the box or reference if there is one.
  [[nodiscard]] void* message() noexcept { return type->indirect ? *reinterpret_cast<void**>(payload) : payload; }
};
static_assert(sizeof(timer_record) == 128);

}  // namespace tact::detail

namespace tact::actors {

using detail::timer_record;

// 64 KiB of records that one engine uses at a time; a record's slab is found by its address.
struct alignas(64 * 1024) timer_slab {
  static constexpr std::size_t bytes = 64 * 1024;
  static constexpr unsigned capacity = bytes / sizeof(timer_record) - 1;

  // Of the engine that has the slab; null: none.
  sync::atomic<engine_gate*> gate{nullptr};
  timer_slab* next_spare = nullptr;  // while no engine has it
  timer_record records[capacity];

  static timer_slab& of(const timer_record& r) noexcept {
    return *reinterpret_cast<timer_slab*>(reinterpret_cast<std::uintptr_t>(&r) & ~(bytes - 1));
  }
};
static_assert(sizeof(timer_slab) == timer_slab::bytes);

// Thread safety: any thread.
class timer_store {
 public:
  static constexpr unsigned chain_length = 64;
  static constexpr std::size_t single_slabs = 16;  // who has more gets as many as fit into a region of 2 MiB

  explicit timer_store(engine_gate& gate) noexcept : gate_(&gate) {}
  timer_store(const timer_store&) = delete;
  timer_store& operator=(const timer_store&) = delete;
  // REQUIRES: all records are free. The slabs go to engines yet to come.
  ~timer_store();

  // Some free records, linked by next; `to` of the first says how many. Throws std::bad_alloc.
  [[nodiscard]] timer_record* take_chain();
  void give_chain(timer_record& first, unsigned length) noexcept;
  [[nodiscard]] std::uint64_t bytes_held() const noexcept;
  [[nodiscard]] std::uint64_t allocations() const noexcept;

 private:
  void add_slab();

  mutable std::mutex mutex_;
  engine_gate* const gate_;
  std::vector<timer_slab*> slabs_;
  std::vector<timer_slab*> unused_;             // the rest of a region
  unsigned handed_out_ = timer_slab::capacity;  // of the last slab
  timer_record* chains_ = nullptr;              // by next_chain
  std::uint64_t allocations_ = 0;
};

// Free records of one thread: two chains, so that giving and taking in turn does not go to the store each time. Thread
// safety: owner only.
class timer_cache {
 public:
  explicit timer_cache(timer_store& shared) noexcept : store_(&shared) {}
  timer_cache(const timer_cache&) = delete;
  timer_cache& operator=(const timer_cache&) = delete;
  ~timer_cache() { trim(); }

  // A record of which nothing is set but the word, which is free. Throws std::bad_alloc.
  [[nodiscard]] timer_record& take() {
    if (first_ == nullptr) refill();
    --length_;
    return *std::exchange(first_, first_->next);
  }
  void give(timer_record& r) noexcept {
    if (length_ == timer_store::chain_length) put_aside();
    ++length_;
    r.next = std::exchange(first_, &r);
  }
  void trim() noexcept;

 private:
  void refill();
  void put_aside() noexcept;

  timer_store* const store_;
  timer_record* first_ = nullptr;
  timer_record* other_ = nullptr;  // a chain of full length, or none
  unsigned length_ = 0;
};

// As base::hold_blocks.
void hold_spare_timers() noexcept;
void release_spare_timers() noexcept;

}  // namespace tact::actors
