#include "actor/cell_store.hpp"

#include <utility>

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
  static cell none;
  return none;
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
      if (!c.is_worn_out()) c.next_generation();
    }
    slab->handed_out = 0;
    spares().slabs.push_back(slab);
  }
}

cell* cell_store::take_one() {
  if (free_ != nullptr) return std::exchange(free_, free_->next_free);
  for (;;) {
    if (slabs_.empty() || slabs_.back()->handed_out == cell_slab::capacity_cells) {
      cell_slab* slab = take_spare(&spare_parts::slabs);
      if (slab == nullptr) {
        slab = new cell_slab;
        ++allocations_;
      }
      slab->gate.store(gate_);
      slabs_.push_back(slab);
    }
    cell& fresh = slabs_.back()->cells[slabs_.back()->handed_out++];
    if (!fresh.is_worn_out()) return &fresh;
  }
}

cell* cell_store::take(unsigned count) {
  std::lock_guard lock(mutex_);
  cell* list = nullptr;
  for (unsigned i = 0; i < count; ++i) {
    cell* one = take_one();
    one->next_free = list;
    list = one;
  }
  return list;
}

void cell_store::give(cell* list) noexcept {
  std::lock_guard lock(mutex_);
  while (list != nullptr) {
    cell* one = std::exchange(list, list->next_free);
    if (one->is_worn_out()) continue;
    one->next_free = free_;
    free_ = one;
  }
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
  free_ = store_->take(batch_cells);
  count_ = batch_cells;
  for (last_ = free_; last_->next_free != nullptr;) last_ = last_->next_free;
}

void cell_cache::trim() noexcept {
  store_->give(std::exchange(free_, nullptr));
  count_ = 0;
}

}  // namespace tact::actor
