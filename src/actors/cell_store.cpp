#include "actors/cell_store.hpp"

#include <algorithm>
#include <utility>

#include "actors/limited_mailbox.hpp"
#include "actors/metadata.hpp"
#include "actors/sites.hpp"
#include "actors/slab_region.hpp"
#include "base/blocks.hpp"
#include "tact/engine_options.hpp"

namespace tact::actors {
namespace {

// What engines that have ended leave to later ones. Never destroyed: refs may be used until the process ends.
struct spare_parts {
  std::mutex mutex;
  cell_slab* free_slabs = nullptr;     // linked by next_spare
  cell_slab* bound_slabs = nullptr;    // the same, for engines whose pages are bound
  std::vector<engine_gate*> gates;     // has room for all gates, and
  std::vector<std::uint16_t> numbers;  // this one for all numbers, so giving one back needs no memory
  std::size_t gates_made = 0;
  std::uint16_t last_number = 0;
  std::uint64_t last_serial = 0;

  // REQUIRES: the caller has the mutex.
  [[nodiscard]] cell_slab*& slabs(base::page_binder bind) noexcept {
    return bind == nullptr ? free_slabs : bound_slabs;
  }
};

spare_parts& spares() {
  static auto* only = new spare_parts;
  return *only;
}

// Null: there is no spare slab.
cell_slab* take_spare_slab(base::page_binder bind) noexcept {
  const std::lock_guard lock(spares().mutex);
  cell_slab* const taken = spares().slabs(bind);
  if (taken != nullptr) spares().slabs(bind) = taken->next_spare;
  return taken;
}

// REQUIRES for take_gate and take_number: the caller holds the mutex.
engine_gate& take_gate(spare_parts& from) {
  if (from.gates.empty()) {
    from.gates.reserve(from.gates_made + 1);
    from.gates.push_back(new engine_gate);
    ++from.gates_made;
  }
  engine_gate& taken = *from.gates.back();
  from.gates.pop_back();
  return taken;
}

std::uint16_t take_number(spare_parts& from) {
  if (from.numbers.empty()) {
    if (from.last_number == 0xFFFF) throw option_error("65535 engines are alive in this process: end one first");
    from.numbers.reserve(from.last_number + std::size_t{1});
    from.numbers.push_back(++from.last_number);
  }
  const std::uint16_t taken = from.numbers.back();
  from.numbers.pop_back();
  return taken;
}

}  // namespace

void hold_spare_slabs() noexcept { spares().mutex.lock(); }
void release_spare_slabs() noexcept { spares().mutex.unlock(); }

cell& nobody() noexcept {
  static auto* of_nobody = new cell_slab;
  return of_nobody->cells[0];
}

engine_identity::engine_identity() {
  const std::lock_guard lock(spares().mutex);
  number_ = take_number(spares());
  serial_ = ++spares().last_serial;
  try {
    gate_ = &take_gate(spares());
  } catch (...) {
    spares().numbers.push_back(number_);
    throw;
  }
}

engine_identity::~engine_identity() {
  std::lock_guard lock(spares().mutex);
  spares().numbers.push_back(number_);
  spares().gates.push_back(gate_);
}

cell_store::~cell_store() {
  std::lock_guard lock(spares().mutex);
  for (cell_slab* slab : slabs_) {
    slab->gate.store(nullptr);
    for (unsigned i = 0; i < slab->handed_out; ++i) {
      cell& c = slab->cells[i];
      // Another engine, with other shards, will get this engine's number. So no old address may lead there.
      c.set_where({});
      if (!c.is_worn_out()) c.next_generation(false);
    }
    slab->handed_out = 0;
    forget_sites(*slab);
    forget_mailboxes(*slab);
    slab->next_spare = std::exchange(spares().slabs(bind_), slab);
  }
  for (cell_slab* slab : unused_) slab->next_spare = std::exchange(spares().slabs(bind_), slab);
}

void cell_store::add_slab() {
  base::look_for_memory();
  slabs_.reserve(slabs_.size() + 1);
  const std::size_t needed = (slabs_.size() + 1) * cell_slab::capacity_cells;
  if (free_.capacity() < needed) free_.reserve(2 * needed);
  cell_slab* slab = nullptr;
  if (!unused_.empty()) {
    slab = unused_.back();
    unused_.pop_back();
  } else if (slab = take_spare_slab(bind_); slab == nullptr) {
    if (bind_ != nullptr) unused_.reserve(slab_region_bytes / sizeof(cell_slab));
    slab = bind_ != nullptr ? make_slabs(unused_, bind_) : new cell_slab;
    ++allocations_;
  }
  slab->gate.store(gate_);
  slabs_.push_back(slab);
  // relaxed: hint, see room.
  room_.store(static_cast<std::uint32_t>(needed), std::memory_order_relaxed);
}

void cell_store::take(std::span<cell*> into) {
  std::lock_guard lock(mutex_);
  while (free_.size() < into.size()) {
    if (slabs_.empty() || slabs_.back()->handed_out == cell_slab::capacity_cells) add_slab();
    cell& fresh = slabs_.back()->cells[slabs_.back()->handed_out++];
    fresh.forget();
    if (!fresh.is_worn_out()) free_.push_back(&fresh);
  }
  std::copy(free_.end() - static_cast<std::ptrdiff_t>(into.size()), free_.end(), into.begin());
  free_.resize(free_.size() - into.size());
}

void cell_store::give(std::span<cell* const> cells) noexcept {
  std::lock_guard lock(mutex_);
  for (cell* one : cells) {
    if (!one->is_worn_out()) free_.push_back(one);
  }
}

void cell_store::give_later(cell& c) noexcept {
  const base::may_use_reserve sure;
  cell* free;
  {
    const std::lock_guard lock(mutex_);
    remembered_.push_back(&c);
    if (remembered_.size() <= remembered_max) return;
    free = remembered_.front();
    remembered_.pop_front();
  }
  tear_up(*free);
  give({&free, 1});
}

void cell_store::tear_up_papers() noexcept {
  // One by one, without the lock: what is destroyed with the metadata may call the engine.
  place next;
  while (cell* const c = find(next, [](const cell& one) { return one.has_metadata(); })) tear_up(*c);
}

std::uint64_t cell_store::bytes_held() const noexcept {
  std::lock_guard lock(mutex_);
  return slabs_.size() * sizeof(cell_slab);
}

std::uint64_t cell_store::allocations() const noexcept {
  std::lock_guard lock(mutex_);
  return allocations_;
}

void cell_cache::refill() {
  std::array<cell*, batch_cells> fresh;
  store_->take(fresh);
  for (cell* c : fresh) at(end_++) = c;
}

void cell_cache::spill(unsigned count) noexcept {
  while (count != 0) {
    const unsigned from = first_ % kept_cells;
    const unsigned now = std::min(count, kept_cells - from);
    store_->give({&ring_[from], now});
    first_ += now;
    count -= now;
  }
}

}  // namespace tact::actors
