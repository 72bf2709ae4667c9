// Where cells come from: slabs for the life of the process, a store per engine, a few cells kept by each worker.
#pragma once

#include <array>
#include <cstdint>
#include <mutex>
#include <span>
#include <vector>

#include "actors/cell.hpp"
#include "actors/gate.hpp"
#include "base/block_queue.hpp"
#include "sync/lock.hpp"

namespace tact::detail {
class core;
}

namespace tact::actors {

struct mailbox_table;
struct site_table;

// 64 KiB of cells that one engine uses at a time, and their routes; a cell's slab is found by its address.
struct alignas(detail::slab_routes::slab_bytes) cell_slab {
  static constexpr unsigned capacity_cells = detail::slab_routes::lines - detail::slab_routes::first_cell;

  // Of the engine that has the slab. Written when an engine takes it.
  sync::atomic<engine_gate*> gate{nullptr};
  unsigned handed_out = 0;                     // cells below this index were in use by the engine that has the slab
  mutable sync::lock<sync::real> papers_lock;  // of all its cells
  site_table* sites = nullptr;                 // null: none is noted; guarded by papers_lock
  cell_slab* next_spare = nullptr;             // while no engine has it
  sync::atomic<mailbox_table*> mailboxes{nullptr};  // null: none of its actors has had a limit
  // As detail::slab_routes says. Aligned to as much as the words that would be of the first lines take up, which the
  // members above use: so word i stands where it should.
  alignas(sizeof(std::uint64_t) * detail::slab_routes::first_cell) sync::atomic<std::uint64_t> routes[capacity_cells]{};
  cell cells[capacity_cells];

  static cell_slab& of(const cell& c) noexcept {
    return *reinterpret_cast<cell_slab*>(reinterpret_cast<std::uintptr_t>(&c) & ~(sizeof(cell_slab) - 1));
  }
};
static_assert(sizeof(cell_slab) == detail::slab_routes::slab_bytes);  // nothing is left over

// The cells of one engine. Thread safety: any thread.
class cell_store {
 public:
  explicit cell_store(engine_gate& gate) noexcept : gate_(&gate) {}
  cell_store(const cell_store&) = delete;
  cell_store& operator=(const cell_store&) = delete;
  // Every actor that was here is ended for good: the slabs go to engines yet to come. REQUIRES: no behaviour is left.
  ~cell_store();

  // Free cells: fills `into`. Nothing is taken when it throws std::bad_alloc.
  void take(std::span<cell*> into);
  // Takes back cells that no worker can still be looking at.
  void give(std::span<cell* const> cells) noexcept;
  // The same for one whose actor had papers: it is free when so many others have come, and reports know it till then.
  void give_later(cell& c) noexcept;
  static constexpr std::size_t remembered_max = 1024;
  // The engine ends: nobody asks any more. REQUIRES: no behaviour is left.
  void tear_up_papers() noexcept;

  // Calls f(cell&) for every cell that was ever in use. f may only look, unless no worker runs.
  // Where a search goes on.
  struct place {
    std::size_t slab = 0;
    unsigned cell = 0;
  };
  // The next cell for which is_meant(cell), called under the lock, holds; null: there is none.
  template <class F>
  [[nodiscard]] cell* find(place& next, F is_meant) noexcept {
    const std::lock_guard lock(mutex_);
    for (; next.slab < slabs_.size(); ++next.slab, next.cell = 0) {
      cell_slab& slab = *slabs_[next.slab];
      while (next.cell < slab.handed_out) {
        cell& c = slab.cells[next.cell++];
        if (is_meant(c)) return &c;
      }
    }
    return nullptr;
  }
  template <class F>
  void for_each(F f) {
    const std::lock_guard lock(mutex_);
    for (cell_slab* slab : slabs_) {
      for (unsigned i = 0; i < slab->handed_out; ++i) f(slab->cells[i]);
    }
  }
  [[nodiscard]] std::uint64_t bytes_held() const noexcept;
  [[nodiscard]] std::uint64_t allocations() const noexcept;
  // Cells that there are, whether actors are in them or not; from any thread, without the lock.
  // relaxed: hint, for who would fetch some in advance.
  [[nodiscard]] std::uint32_t room() const noexcept { return room_.load(std::memory_order_relaxed); }

 private:
  void add_slab();

  mutable std::mutex mutex_;
  engine_gate* gate_;
  std::vector<cell_slab*> slabs_;
  base::block_queue<cell*> remembered_;  // oldest first
  std::vector<cell*> free_;              // has room for all cells of the slabs, so what is given back needs no memory
  std::uint64_t allocations_ = 0;
  sync::atomic<std::uint32_t> room_{0};
};

// A worker's own free cells: a ring of addresses, so that a cell that others had is not touched before it is used, and
// is wanted from them in time. Thread safety: owner only.
class cell_cache {
 public:
  explicit cell_cache(cell_store& shared) noexcept : store_(&shared) {}
  cell_cache(const cell_cache&) = delete;
  cell_cache& operator=(const cell_cache&) = delete;
  ~cell_cache() { trim(); }

  [[nodiscard]] bool empty() const noexcept { return first_ == end_; }
  // Takes some from the store. Throws std::bad_alloc. REQUIRES: empty.
  void refill();
  // The one that is taken next. REQUIRES: not empty.
  [[nodiscard]] cell& next() noexcept { return *at(first_); }
  // REQUIRES: not empty.
  [[nodiscard]] cell& take() noexcept {
    __builtin_prefetch(at(first_ + soon), 1);
    return *at(first_++);
  }
  // It comes back behind all others that are here: for a while reports still know who was in it.
  void give(cell& c) noexcept {
    if (c.is_worn_out()) [[unlikely]]
      return;
    if (end_ - first_ == kept_cells) [[unlikely]]
      spill(kept_cells / 2);
    at(end_++) = &c;
  }
  void trim() noexcept { spill(end_ - first_); }

 private:
  static constexpr unsigned batch_cells = 64;
  static constexpr unsigned kept_cells = 1024;
  static constexpr unsigned soon = 4;  // creations ahead
  static_assert(kept_cells % batch_cells == 0);

  [[nodiscard]] cell*& at(unsigned i) noexcept { return ring_[i % kept_cells]; }
  // Gives the next `count` to the others.
  void spill(unsigned count) noexcept;

  cell_store* store_;
  // The first to be taken, and one behind the last; both only grow, and wrap.
  unsigned first_ = 0;
  unsigned end_ = 0;
  std::array<cell*, kept_cells> ring_{};
};

// As base::hold_blocks, of what engines leave to each other.
void hold_spare_slabs() noexcept;
void release_spare_slabs() noexcept;

// What marks an engine among those that are alive: a number from 1, and a gate. Both go to an engine yet to come, so an
// identity ends after the cells whose routes bear its number. `serial` is no other engine's, ever.
class engine_identity {
 public:
  engine_identity();  // throws tact::option_error when 65535 engines are alive
  engine_identity(const engine_identity&) = delete;
  engine_identity& operator=(const engine_identity&) = delete;
  ~engine_identity();

  [[nodiscard]] std::uint16_t number() const noexcept { return number_; }
  [[nodiscard]] engine_gate& gate() const noexcept { return *gate_; }
  [[nodiscard]] std::uint64_t serial() const noexcept { return serial_; }

 private:
  std::uint16_t number_;
  std::uint64_t serial_;
  engine_gate* gate_;
};

}  // namespace tact::actors
