// Where cells come from: slabs for the life of the process, a store per engine, a few cells kept by each worker.
#pragma once

#include <cstdint>
#include <mutex>
#include <vector>

#include "actor/cell.hpp"
#include "actor/gate.hpp"

namespace tact::detail {
class core;
}

namespace tact::actor {

using engine_gate = gate<sync::real, detail::core>;

// 64 KiB of cells that one engine uses at a time; a cell's slab is found by its address.
struct alignas(64 * 1024) cell_slab {
  static constexpr unsigned capacity_cells = 1023;

  // Of the engine that has the slab. Written when an engine takes it.
  sync::atomic<engine_gate*> gate{nullptr};
  unsigned handed_out = 0;  // cells below this index were in use by the engine that has the slab
  cell cells[capacity_cells];

  static cell_slab& of(const cell& c) noexcept {
    return *reinterpret_cast<cell_slab*>(reinterpret_cast<std::uintptr_t>(&c) & ~(sizeof(cell_slab) - 1));
  }
};
static_assert(sizeof(cell_slab) == 64 * 1024);

// The cells of one engine. Thread safety: any thread.
class cell_store {
 public:
  explicit cell_store(engine_gate& gate) noexcept : gate_(&gate) {}
  cell_store(const cell_store&) = delete;
  cell_store& operator=(const cell_store&) = delete;
  // Every actor that was here is ended for good: the slabs go to engines yet to come. REQUIRES: no behaviour is left.
  ~cell_store();

  // A free cell, or a list of up to `count`, linked by next_free. Throws std::bad_alloc.
  [[nodiscard]] cell* take(unsigned count);
  // Takes back a list of cells that no worker can still be looking at.
  void give(cell* list) noexcept;

  // Calls f(cell&) for every cell that was ever in use. f may only look, unless no worker runs.
  template <class F>
  void for_each(F f) {
    const std::lock_guard lock(mutex_);
    for (cell_slab* slab : slabs_) {
      for (unsigned i = 0; i < slab->handed_out; ++i) f(slab->cells[i]);
    }
  }
  [[nodiscard]] std::uint64_t bytes_held() const noexcept;
  [[nodiscard]] std::uint64_t allocations() const noexcept;

 private:
  [[nodiscard]] cell* take_one();

  mutable std::mutex mutex_;
  engine_gate* gate_;
  std::vector<cell_slab*> slabs_;
  cell* free_ = nullptr;
  std::uint64_t allocations_ = 0;
};

// A worker's own free cells. Thread safety: owner only.
class cell_cache {
 public:
  explicit cell_cache(cell_store& shared) noexcept : store_(&shared) {}
  cell_cache(const cell_cache&) = delete;
  cell_cache& operator=(const cell_cache&) = delete;
  ~cell_cache() { trim(); }

  [[nodiscard]] cell& take() {
    if (free_ == nullptr) [[unlikely]]
      refill();
    cell& c = *free_;
    free_ = c.next_free;
    --count_;
    return c;
  }
  // It comes back behind all others that are here: for a while reports still know who was in it.
  void give(cell& c) noexcept {
    if (c.is_worn_out()) return;
    c.next_free = nullptr;
    (free_ == nullptr ? free_ : last_->next_free) = &c;
    last_ = &c;
    if (++count_ > kept_cells) trim();
  }
  void trim() noexcept;

 private:
  static constexpr unsigned batch_cells = 64;
  static constexpr unsigned kept_cells = 1024;
  void refill();

  cell_store* store_;
  cell* free_ = nullptr;  // the first to be taken
  cell* last_ = nullptr;  // valid while there is one
  unsigned count_ = 0;
};

// What marks an engine among those that are alive: a number from 1, and a gate. Both go to an engine yet to come, so an
// identity ends after the cells whose routes bear its number.
class engine_identity {
 public:
  engine_identity();  // throws tact::option_error when 65535 engines are alive
  engine_identity(const engine_identity&) = delete;
  engine_identity& operator=(const engine_identity&) = delete;
  ~engine_identity();

  [[nodiscard]] std::uint16_t number() const noexcept { return number_; }
  [[nodiscard]] engine_gate& gate() const noexcept { return *gate_; }

 private:
  std::uint16_t number_;
  engine_gate* gate_;
};

}  // namespace tact::actor
