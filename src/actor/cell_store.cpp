#include "actor/cell_store.hpp"

#include <algorithm>

#include "actor/limited_mailbox.hpp"
#include "actor/papers.hpp"
#include "actor/sites.hpp"
#include "tact/engine_options.hpp"

namespace tact::actor {
namespace {

// Never destroyed: refs may be used until the process ends.
struct spare_parts {
  std::mutex mutex;
  std::vector<cell_slab*> slabs;
  std::vector<engine_gate*> gates;
  std::vector<std::uint16_t> numbers;
  std::uint16_t last_number = 0;
};

spare_parts& spares() {
  static auto* only = new spare_parts;
  return *only;
}

template <class T>
T* take_spare(std::vector<T*> spare_parts::*list) {
  std::lock_guard lock(spares().mutex);
  auto& from = spares().*list;
  if (from.empty()) return nullptr;
  T* taken = from.back();
  from.pop_back();
  return taken;
}

}  // namespace

cell& nobody() noexcept {
  static auto* of_nobody = new cell_slab;
  return of_nobody->cells[0];
}

engine_identity::engine_identity() {
  gate_ = take_spare(&spare_parts::gates);
  if (gate_ == nullptr) gate_ = new engine_gate;
  std::lock_guard lock(spares().mutex);
  auto& numbers = spares().numbers;
  if (numbers.empty()) {
    if (spares().last_number == 0xFFFF) {
      spares().gates.push_back(gate_);
      throw option_error("65535 engines are alive in this process: end one first");
    }
    numbers.push_back(++spares().last_number);
  }
  number_ = numbers.back();
  numbers.pop_back();
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
      // The engine's number will be another's, which has other shards: nobody may look for an old address there.
      c.set_where({});
      if (!c.is_worn_out()) c.next_generation(false);
    }
    slab->handed_out = 0;
    forget_sites(*slab);
    forget_mailboxes(*slab);
    spares().slabs.push_back(slab);
  }
}

void cell_store::add_slab() {
  slabs_.reserve(slabs_.size() + 1);
  const std::size_t needed = (slabs_.size() + 1) * cell_slab::capacity_cells;
  if (free_.capacity() < needed) free_.reserve(2 * needed);
  cell_slab* slab = take_spare(&spare_parts::slabs);
  if (slab == nullptr) {
    slab = new cell_slab;
    ++allocations_;
  }
  slab->gate.store(gate_);
  slabs_.push_back(slab);
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
  cell* free = &c;
  try {
    const std::lock_guard lock(mutex_);
    remembered_.push_back(free);
    if (remembered_.size() <= remembered_max) return;
    free = remembered_.front();
    remembered_.pop_front();
  } catch (...) {
    // Without memory it is forgotten at once.
  }
  tear_up(*free);
  give({&free, 1});
}

void cell_store::tear_up_papers() noexcept {
  std::vector<cell*> all;  // what is in papers may call the engine when it is destroyed
  for_each([&](cell& c) {
    if (c.has_papers()) all.push_back(&c);
  });
  for (cell* c : all) tear_up(*c);
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

}  // namespace tact::actor
