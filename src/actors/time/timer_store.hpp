// Where the records of timers come from: regions that stay mapped for the life of the process, chains of records for
// each engine, and a few records kept by each of its threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <utility>

#include "actors/cells/regions.hpp"
#include "actors/time/timer_word.hpp"
#include "base/mapping.hpp"
#include "sync/policy.hpp"
#include "sync/thread_state.hpp"
#include "tact/detail/context_node.hpp"
#include "tact/detail/core.hpp"

namespace tact::detail {

// The parts that only few timers have. They lie in a block of their own.
struct timer_extra {
  timer_again again{};                    // without a period the timer fires once
  const context_node* context = nullptr;  // the context in which its message is sent; held
  std::uint64_t recorded = 0;             // the number of the message whose handler has set it, if that is recorded

  // Null: the timer needs none. Throws std::bad_alloc.
  [[nodiscard]] static const timer_extra* make(const timer_again* a, const context_node* c) {
    const std::uint64_t recorded = sync::thread_state::of_this_thread().recorded;
    if (a == nullptr && c == nullptr && recorded == 0) return nullptr;
    void* const block = allocate_block(sizeof(timer_extra));
    return ::new (block) timer_extra{a == nullptr ? timer_again{} : *a, hold(c), recorded};
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

// 2 MiB of records, which belong to one engine at a time. The region of a record is found by the record's address.
struct timer_region {
  // The gate of the engine that has the region; null: no engine has it.
  sync::atomic<engine_gate*> gate{nullptr};
  region_book<sync::real, timer_region>* book = nullptr;

  static timer_region& of(const timer_record& r) noexcept {
    return *reinterpret_cast<timer_region*>(reinterpret_cast<std::uintptr_t>(&r) & ~(region_bytes - 1));
  }

  // -- for region_book
  using record = timer_record;
  struct place {
    unsigned page;
    unsigned index;
  };
  static constexpr unsigned pages = region_bytes / region_page_bytes;
  static constexpr unsigned group_pages = 16;
  static constexpr unsigned page_records = region_page_bytes / sizeof(timer_record);
  static constexpr unsigned pages_beside_records = 0;
  static constexpr unsigned pages_at_front = 1;
  // A word of zeros belongs to no timer that was ever set.
  static constexpr std::uint64_t first_stamp = timer_record::word_type::first_key;
  static constexpr std::uint64_t last_stamp = ~std::uint64_t{0};
  // Timers that fire together were set at many different times, so their records lie all over the memory; with small
  // pages almost each of them would need a look-up of its address.
  static constexpr bool may_be_huge = true;

  // The first page holds the members above.
  static constexpr std::uint64_t records_in(unsigned page) noexcept {
    return page == 0 ? 0 : (std::uint64_t{1} << page_records) - 1;
  }
  static timer_record& at(timer_region& r, unsigned page, unsigned index) noexcept {
    return reinterpret_cast<timer_record*>(&r)[page * page_records + index];
  }
  static place place_of(const timer_record& r) noexcept {
    const auto n = static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(&r) % region_bytes / sizeof(timer_record));
    return {n / page_records, n % page_records};
  }
  static std::uint64_t stamp_of(const timer_record& r) noexcept { return r.word.key_of_free(); }
  static std::uint64_t stamp_after(const timer_record& r) noexcept { return r.word.key_of_free(); }
  static void wake(timer_record& r, std::uint64_t key) noexcept { r.word.wake(key); }
  static void wipe(timer_record&) noexcept {}  // no key fits a free record
  void leave_group(unsigned) noexcept {}
  [[nodiscard]] bool give_back(unsigned first, unsigned count) noexcept { return give_back_pages(this, first, count); }
  void forget() noexcept {}
};

// Thread safety: any thread.
class timer_store {
 public:
  static constexpr unsigned chain_length = 64;
  // `bind`: says where the pages of its regions lie.
  explicit timer_store(engine_gate& gate, base::page_binder bind = nullptr) noexcept : regions_(gate, bind) {}
  timer_store(const timer_store&) = delete;
  timer_store& operator=(const timer_store&) = delete;
  // REQUIRES: all records are free. The memory goes back to the system, and the regions to engines yet to come.
  ~timer_store() = default;

  // A chain of free records, linked by next; `to` of the first one says how many. Throws std::bad_alloc.
  [[nodiscard]] timer_record* take_chain();
  void give_chain(timer_record& first, unsigned length) noexcept;
  // As cell_store::rest.
  bool rest() noexcept;
  [[nodiscard]] std::uint64_t bytes_held() const noexcept;
  [[nodiscard]] std::uint64_t allocations() const noexcept;

 private:
  static constexpr unsigned put_at_once = 16;  // chains; their records may be in no cache

  mutable std::mutex mutex_;
  regions<timer_region> regions_;
  timer_record* chains_ = nullptr;  // linked by next_chain
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
