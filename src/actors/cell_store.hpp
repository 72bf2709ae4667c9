// Where cells come from: slabs, which stay for the life of the process, a store in each engine, and a cache in each
// worker.
#pragma once

#include <array>
#include <cstdint>
#include <mutex>
#include <span>
#include <vector>

#include "actors/cell.hpp"
#include "actors/gate.hpp"
#include "base/block_queue.hpp"
#include "base/mapping.hpp"
#include "base/prefetch.hpp"
#include "sync/lock.hpp"

namespace tact::detail {
class core;
}

namespace tact::actors {

struct mailbox_table;
struct site_table;

// 64 KiB of cells with their routes, which one engine uses at a time. The address of a cell gives that of its slab.
struct alignas(detail::slab_routes::slab_bytes) cell_slab {
  static constexpr unsigned capacity_cells = detail::slab_routes::lines - detail::slab_routes::first_cell;

  // The gate of the engine that has the slab. Written when an engine takes the slab or gives it back.
  sync::atomic<engine_gate*> gate{nullptr};
  unsigned handed_out = 0;                          // the engine has used the cells below this index
  mutable sync::lock<sync::real> papers_lock;       // guards the metadata of all cells of the slab
  site_table* sites = nullptr;                      // null: no site is noted; guarded by papers_lock
  cell_slab* next_spare = nullptr;                  // the link of the spare slabs, which no engine has
  sync::atomic<mailbox_table*> mailboxes{nullptr};  // null: no actor of the slab has had a limit
  // The routes of the cells, where detail::slab_routes looks for them: word i belongs to the cell in line i. The first
  // lines hold the members above and these words instead of cells. The members use the place of the words that belong
  // to those lines, and the alignment makes the array begin right behind that place.
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
  // `bind`: says where the pages of its slabs lie. Then it allocates a region of slabs at a time.
  explicit cell_store(engine_gate& gate, base::page_binder bind = nullptr) noexcept : gate_(&gate), bind_(bind) {}
  cell_store(const cell_store&) = delete;
  cell_store& operator=(const cell_store&) = delete;
  // Raises the generation of every cell, so that no old port is current any more, and hands the slabs on to engines yet
  // to come. REQUIRES: no behaviour is left.
  ~cell_store();

  // Fills `into` with free cells. Throws std::bad_alloc; then it has taken none.
  void take(std::span<cell*> into);
  // Takes cells back. REQUIRES: no worker can still be looking at them.
  void give(std::span<cell* const> cells) noexcept;
  // The same for a cell whose actor had metadata. Reports still find them: the cell becomes free, and the metadata go,
  // only when remembered_max other such cells have come.
  void give_later(cell& c) noexcept;
  static constexpr std::size_t remembered_max = 1024;
  // Tears up all metadata at the end of the engine, when no report asks for them any more. REQUIRES: no behaviour is
  // left.
  void tear_up_papers() noexcept;

  // Where the next call of `find` goes on.
  struct place {
    std::size_t slab = 0;
    unsigned cell = 0;
  };
  // The next cell for which is_meant(cell) is true, which is called under the lock. Null: there is no such cell.
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
  // Calls f(cell&), under the lock, for every cell that was ever in use. While workers run, f may only look.
  template <class F>
  void for_each(F f) {
    const std::lock_guard lock(mutex_);
    for (cell_slab* slab : slabs_) {
      for (unsigned i = 0; i < slab->handed_out; ++i) f(slab->cells[i]);
    }
  }
  [[nodiscard]] std::uint64_t bytes_held() const noexcept;
  [[nodiscard]] std::uint64_t allocations() const noexcept;
  // How many cells the engine's slabs have, with or without actors; for any thread, without the lock.
  // relaxed: hint, for a worker that may fetch cells in advance.
  [[nodiscard]] std::uint32_t room() const noexcept { return room_.load(std::memory_order_relaxed); }

 private:
  void add_slab();

  mutable std::mutex mutex_;
  engine_gate* gate_;
  const base::page_binder bind_;
  std::vector<cell_slab*> slabs_;
  std::vector<cell_slab*> unused_;       // slabs of the last region that have not been used yet
  base::block_queue<cell*> remembered_;  // oldest first
  std::vector<cell*> free_;              // has room for all cells of the slabs, so giving one back needs no memory
  std::uint64_t allocations_ = 0;
  sync::atomic<std::uint32_t> room_{0};
};

// A worker's own free cells, as a ring of their addresses. So a cell that another worker had is not touched when it is
// put here; it is fetched into the cache a few creations before it is used. Thread safety: owner only.
class cell_cache {
 public:
  explicit cell_cache(cell_store& shared) noexcept : store_(&shared) {}
  cell_cache(const cell_cache&) = delete;
  cell_cache& operator=(const cell_cache&) = delete;
  ~cell_cache() { trim(); }

  [[nodiscard]] bool empty() const noexcept { return first_ == end_; }
  // Takes a batch of cells from the store. Throws std::bad_alloc. REQUIRES: empty.
  void refill();
  // The cell that is taken next. REQUIRES: not empty.
  [[nodiscard]] cell& next() noexcept { return *at(first_); }
  // REQUIRES: not empty.
  [[nodiscard]] cell& take() noexcept {
    base::prefetch_to_write(at(first_ + soon));
    return *at(first_++);
  }
  // Puts a cell behind all others that are here, so that reports know for a while which actor was in it.
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
  static constexpr unsigned soon = 4;  // a cell is fetched so many creations before it is used
  static_assert(kept_cells % batch_cells == 0);

  [[nodiscard]] cell*& at(unsigned i) noexcept { return ring_[i % kept_cells]; }
  // Gives the next `count` cells to the store.
  void spill(unsigned count) noexcept;

  cell_store* store_;
  // The number of the first cell that is taken, and one behind the last cell. Both only grow, and wrap around.
  unsigned first_ = 0;
  unsigned end_ = 0;
  std::array<cell*, kept_cells> ring_{};
};

// Lock and unlock what engines leave to each other (slabs, gates, numbers) around a fork; see base::hold_blocks.
void hold_spare_slabs() noexcept;
void release_spare_slabs() noexcept;

// What tells an engine from the others that are alive: a number from 1, and a gate. Both go to a later engine, so an
// identity ends after the cells whose routes bear its number. The serial number is never given to another engine.
class engine_identity {
 public:
  engine_identity();  // throws tact::option_error when 65535 engines are alive already
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
