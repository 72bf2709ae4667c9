// Where cells come from: regions, which stay mapped for the life of the process, a store in each engine, and a cache in
// each worker.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <mutex>
#include <span>
#include <vector>

#include "actors/cells/cell_region.hpp"
#include "actors/cells/regions.hpp"
#include "actors/common/names.hpp"
#include "base/block_queue.hpp"
#include "base/mapping.hpp"
#include "base/prefetch.hpp"
#include "base/sparse_array.hpp"

namespace tact::actors {}

namespace tact::actors {

// The cells of one engine. Those that exclusive actors of one shard get lie in runs, side by side; the others lie
// anywhere. Two runs are a page: the second one goes to a shard with the same office, if there is one, so that workers
// do not write to neighbouring lines. docs/decisions/0069-actors-of-a-shard-live-together.md. Thread safety: any
// thread.
class cell_store {
 public:
  // `bind`: says where the pages of its regions lie.
  explicit cell_store(engine_gate& gate, base::page_binder bind = nullptr) noexcept : regions_(gate, bind) {}
  cell_store(const cell_store&) = delete;
  cell_store& operator=(const cell_store&) = delete;
  // No old port is current any more. The memory goes back to the system, and the regions to engines yet to come.
  // REQUIRES: no behaviour is left.
  ~cell_store() = default;

  // Fills `into` with free cells that lie in no run. Throws std::bad_alloc; then it has taken none.
  void take(std::span<cell*> into);
  // Fills `into` with free cells from runs of the shard of this route, which is that of exclusive actors. Throws
  // std::bad_alloc; then it has taken none.
  void take_in(mailbox::route where, std::uint32_t office, std::span<cell*> into);
  // Takes cells back. REQUIRES: no worker can still be looking at them.
  void give(std::span<cell* const> cells) noexcept;
  // Take back cells that all lie in no run, or all in runs of one shard, without touching them. REQUIRES: as of give;
  // and none is worn out.
  void give_single(std::span<cell* const> cells) noexcept;
  void give_in(std::uint32_t shard, std::span<cell* const> cells) noexcept;
  // Takes back a cell whose actor had metadata. Reports still find them: the cell becomes free, and the metadata go,
  // only when remembered_max other such cells have come.
  void give_later(cell& c) noexcept;
  static constexpr std::size_t remembered_max = 1024;
  // Gives memory back to the system, a piece that takes some 50 microseconds. False: there is nothing left to give
  // back. REQUIRES: no worker of the engine has messages.
  bool rest() noexcept;
  // Tears up all metadata at the end of the engine, when no report asks for them any more. REQUIRES: no behaviour is
  // left.
  void tear_up_papers() noexcept;

  // Where the next call of `find` goes on.
  struct place {
    std::size_t region = 0;
    unsigned page = 0;
    unsigned cell = 0;
  };
  // The next cell for which is_meant(cell) is true, which is called under the lock. Null: there is no such cell.
  template <class F>
  [[nodiscard]] cell* find(place& next, F is_meant) noexcept {
    const std::lock_guard lock(mutex_);
    for (; next.region < regions_.books().size(); ++next.region, next.page = 0) {
      const auto& book = *regions_.books()[next.region];
      for (; next.page < cell_region::pages; ++next.page, next.cell = 0) {
        if (!book.is_open(next.page)) continue;
        while (next.cell < cell_region::page_cells) {
          cell& c = cell_region::at(book.region(), next.page, next.cell++);
          if (is_meant(c)) return &c;
        }
      }
    }
    return nullptr;
  }
  // Calls f(cell&), under the lock, for every cell that has an actor, and some that have none. While workers run, f may
  // only look.
  template <class F>
  void for_each(F f) {
    const std::lock_guard lock(mutex_);
    for (auto* book : regions_.books()) book->for_each(f);
  }
  [[nodiscard]] std::uint64_t bytes_held() const noexcept;
  [[nodiscard]] std::uint64_t allocations() const noexcept;
  // How many cells there are in memory, with or without actors; for any thread, without the lock.
  // relaxed: hint, for a worker that may fetch cells in advance.
  [[nodiscard]] std::uint32_t room() const noexcept { return room_.load(std::memory_order_relaxed); }

 private:
  static constexpr std::size_t put_at_once = 4096;
  static constexpr std::uint32_t any_office = 0xFFFFFFFF;

  // The cells in runs of a shard that are not in the books of the regions. `free` has room for all of them, so giving
  // one back needs no memory.
  struct cells_of_shard {
    std::vector<cell*> free;
    std::size_t out = 0;

    // Throws std::bad_alloc.
    void make_room(std::size_t more);
    void shrink() noexcept;
  };
  // A run without an actor, which is nobody's yet. Where the rest of its page lies in a run of a shard, the office of
  // that.
  struct free_run {
    cell* first;
    std::uint32_t office;
  };

  void open_page();
  void sort_in(std::span<cell* const> of_run) noexcept;
  void keep_single(cell& c) noexcept;
  void take_free_run();
  void take_run(mailbox::route where, std::uint32_t office);
  void give_one(cell& c) noexcept;
  [[nodiscard]] bool put_some() noexcept;
  void shrink() noexcept;

  mutable std::mutex mutex_;
  regions<cell_region> regions_;
  base::block_queue<cell*> remembered_;  // oldest first
  // Free cells that the next takers get. It has room for all cells that are not in the books of the regions, so giving
  // one back needs no memory.
  std::vector<cell*> free_;
  std::vector<free_run> free_runs_;
  std::vector<cells_of_shard> of_shard_;
  std::size_t out_ = 0;  // the cells that are not in these books
  sync::atomic<std::uint32_t> room_{0};
};

// A worker's own free cells that lie in no run, as a ring of their addresses. So a cell that another worker had is not
// touched when it is put here; it is fetched into the cache a few creations before it is used. Thread safety: owner
// only.
class cell_ring {
 public:
  explicit cell_ring(cell_store& shared) noexcept : store_(&shared) {}
  cell_ring(const cell_ring&) = delete;
  cell_ring& operator=(const cell_ring&) = delete;
  ~cell_ring() { trim(); }

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
  // Puts a cell behind all others that are here, so that reports know for a while which actor was in it. REQUIRES: it
  // is not worn out.
  void give(cell& c) noexcept {
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

// A worker's own free cells in runs: for each shard a ring of addresses, as in cell_ring. Thread safety: owner only.
class run_cells {
 public:
  run_cells(cell_store& shared, std::uint32_t shards);
  run_cells(const run_cells&) = delete;
  run_cells& operator=(const run_cells&) = delete;
  ~run_cells() { trim(); }

  [[nodiscard]] bool has(std::uint32_t shard) const noexcept { return rings_[shard].size() != 0; }
  // Takes a batch of cells from the store. Throws std::bad_alloc. REQUIRES: there are none for the shard here.
  void refill(mailbox::route where, std::uint32_t office);
  // REQUIRES: has(shard).
  [[nodiscard]] cell& take(std::uint32_t shard) noexcept {
    ring& r = rings_[shard];
    base::prefetch_to_write(at(shard, r.first + soon));
    return *at(shard, r.first++);
  }
  // REQUIRES: it is in a run, and not worn out.
  void give(cell& c) noexcept {
    const std::uint32_t shard = c.shard_of_run();
    ring& r = rings_[shard];
    used_ = std::max(used_, shard + 1);
    if (r.size() == kept_) [[unlikely]]
      spill(shard, kept_ / 2);
    at(shard, r.end++) = &c;
  }
  void trim() noexcept;

 private:
  static constexpr std::uint32_t kept_of_all = 8192;  // cells
  static constexpr std::uint32_t kept_most = 1024;    // of a shard
  static constexpr std::uint32_t kept_least = 32;
  static constexpr unsigned batch_cells = cell_region::run_cells;
  static constexpr unsigned soon = 4;  // as in cell_ring
  static_assert(batch_cells <= kept_least);

  // Zero memory is an empty ring.
  struct ring {
    // The number of the first cell that is taken, and one behind the last cell. Both only grow, and wrap around.
    std::uint32_t first;
    std::uint32_t end;
    [[nodiscard]] std::uint32_t size() const noexcept { return end - first; }
  };

  [[nodiscard]] cell*& at(std::uint32_t shard, std::uint32_t i) noexcept {
    return cells_[std::size_t{shard} * kept_ + (i & (kept_ - 1))];
  }
  // Gives the next `count` cells of the shard to the store.
  void spill(std::uint32_t shard, std::uint32_t count) noexcept;

  cell_store* store_;
  const std::uint32_t kept_;  // cells of a shard, a power of two
  base::sparse_array<ring> rings_;
  base::sparse_array<cell*> cells_;
  std::uint32_t used_ = 0;  // no shard from this one on has had cells here
};

// Where a worker gets cells, and where it puts them. Thread safety: owner only.
class cell_cache {
 public:
  cell_cache(cell_store& shared, std::uint32_t ordinary_shards)
      : single(shared), in_runs(shared, ordinary_shards), store_(&shared) {}

  // True: it gets its cells there.
  [[nodiscard]] bool is_of(const cell_store& shared) const noexcept { return store_ == &shared; }
  void give(cell& c) noexcept {
    if (c.is_worn_out()) [[unlikely]]
      return give_worn(c);
    c.is_in_run() ? in_runs.give(c) : single.give(c);
  }
  void trim() noexcept {
    single.trim();
    in_runs.trim();
  }

  cell_ring single;  // that lie in no run
  run_cells in_runs;

 private:
  void give_worn(cell& c) noexcept;

  cell_store* store_;
};

// Lock and unlock what engines leave to each other (regions, gates, numbers) around a fork; see base::hold_blocks.
void hold_spare_cells() noexcept;
void release_spare_cells() noexcept;

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
