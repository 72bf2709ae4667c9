// Where the records of timers come from: slabs that live as long as the process, chains of records for each engine, and
// a few records kept by each of its threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <utility>
#include <vector>

#include "actors/cell_store.hpp"
#include "actors/timer_word.hpp"
#include "base/mapping.hpp"
#include "sync/policy.hpp"
#include "tact/detail/context_node.hpp"
#include "tact/detail/core.hpp"

namespace tact::detail {

// The parts that only few timers have. They lie in a block of their own.
struct timer_extra {
  timer_again again{};                    // without a period the timer fires once
  const context_node* context = nullptr;  // the context in which its message is sent; held

  // Null: the timer needs none. Throws std::bad_alloc.
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

// A timer, with the message that it will send: two cache lines. Which thread may touch what: see actors::timer_word.
struct alignas(128) timer_record {
  using word_type = actors::timer_word<sync::real>;

  word_type word;
  timer_record* next = nullptr;  // in the list in which the record is now
  union {
    std::int64_t due_ns = 0;   // by the clock of the service; before the commit it is counted as `since` says
    timer_record* next_chain;  // in the first record of a chain of free ones
  };
  // In the first record of a chain of free ones: how many there are.
  port to = 0;
  const message_type* type = nullptr;
  const timer_extra* extra = nullptr;
  alignas(inline_align_max) std::byte payload[inline_bytes_max];

  [[nodiscard]] bool repeats() const noexcept { return extra != nullptr && extra->again.period_ns != 0; }
  // The message itself, behind its box or reference if it has one.
  [[nodiscard]] void* message() noexcept { return type->indirect ? *reinterpret_cast<void**>(payload) : payload; }
};
static_assert(sizeof(timer_record) == 128);

}  // namespace tact::detail

namespace tact::actors {

using detail::timer_record;

// 64 KiB of records, which belong to one engine at a time. The slab of a record is found by the record's address.
struct alignas(64 * 1024) timer_slab {
  static constexpr std::size_t bytes = 64 * 1024;
  static constexpr unsigned capacity = bytes / sizeof(timer_record) - 1;

  // The gate of the engine that has the slab; null: no engine has it.
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
  // After so many slabs an engine gets as many at a time as fit into a region of 2 MiB. If pages are bound it does so
  // from the first one on.
  static constexpr std::size_t single_slabs = 16;

  // `bind`: says where the pages of its slabs lie.
  explicit timer_store(engine_gate& gate, base::page_binder bind = nullptr) noexcept : gate_(&gate), bind_(bind) {}
  timer_store(const timer_store&) = delete;
  timer_store& operator=(const timer_store&) = delete;
  // REQUIRES: all records are free. The slabs are kept for engines yet to come.
  ~timer_store();

  // A chain of free records, linked by next; `to` of the first one says how many. Throws std::bad_alloc.
  [[nodiscard]] timer_record* take_chain();
  void give_chain(timer_record& first, unsigned length) noexcept;
  [[nodiscard]] std::uint64_t bytes_held() const noexcept;
  [[nodiscard]] std::uint64_t allocations() const noexcept;

 private:
  void add_slab();

  mutable std::mutex mutex_;
  engine_gate* const gate_;
  const base::page_binder bind_;
  std::vector<timer_slab*> slabs_;
  std::vector<timer_slab*> unused_;             // slabs of the last region that have not been used yet
  unsigned handed_out_ = timer_slab::capacity;  // records of the last slab
  timer_record* chains_ = nullptr;              // linked by next_chain
  std::uint64_t allocations_ = 0;
};

// Free records of one thread. There are two chains, so that taking and giving by turns does not go to the store each
// time. Thread safety: owner only.
class timer_cache {
 public:
  explicit timer_cache(timer_store& shared) noexcept : store_(&shared) {}
  timer_cache(const timer_cache&) = delete;
  timer_cache& operator=(const timer_cache&) = delete;
  ~timer_cache() { trim(); }

  // A record in which only the word is set, which says free. Throws std::bad_alloc.
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
  timer_record* other_ = nullptr;  // a chain of full length, or null
  unsigned length_ = 0;
};

// Around a fork, as base::hold_blocks.
void hold_spare_timers() noexcept;
void release_spare_timers() noexcept;

}  // namespace tact::actors
