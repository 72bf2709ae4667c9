#include "actors/cell_store.hpp"

#include <algorithm>
#include <utility>

#include "actors/limited_mailbox.hpp"
#include "actors/metadata.hpp"
#include "actors/sites.hpp"
#include "base/blocks.hpp"
#include "tact/engine_options.hpp"

namespace tact::actors {
namespace {

// What engines that have ended leave to later ones. Never destroyed: refs may be used until the process ends.
struct spare_parts {
  std::mutex mutex;
  std::vector<engine_gate*> gates;     // has room for all gates, and
  std::vector<std::uint16_t> numbers;  // this one for all numbers, so giving one back needs no memory
  std::size_t gates_made = 0;
  std::uint16_t last_number = 0;
  std::uint64_t last_serial = 0;
};

spare_parts& spares() {
  static auto* only = new spare_parts;
  return *only;
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

void hold_spare_cells() noexcept {
  spares().mutex.lock();
  spare_regions<cell_region>::all().hold();
}
void release_spare_cells() noexcept {
  spare_regions<cell_region>::all().release();
  spares().mutex.unlock();
}

cell& nobody() noexcept {
  static cell& only = []() -> cell& {
    constexpr unsigned page = cell_region::pages_beside_records;
    cell& first = cell_region::at(*::new (map_region(nullptr, false)) cell_region, page, 0);
    first.wake(cell_region::first_stamp);
    return first;
  }();
  return only;
}

void cell_region::leave_group(unsigned slab) noexcept { forget_sites(annexes[slab]); }

void cell_region::forget() noexcept {
  for (slab_annex& a : annexes) {
    forget_sites(a);
    forget_mailboxes(a);
  }
  // The first page is never given back. Another engine, with other shards, will get the number of the one that has
  // ended; so no old route may stay.
  for (std::size_t line = detail::slab_routes::first_cell; line < region_page_bytes / sizeof(std::uint64_t); ++line) {
    // relaxed: private until published, as in cell::send_by.
    detail::slab_routes::of(reinterpret_cast<std::uintptr_t>(this) + line * sizeof(cell))
        .store(0, std::memory_order_relaxed);
  }
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

void cell_store::open_page() {
  const std::size_t needed = out_ + cell_region::page_cells;
  if (free_.capacity() < needed) {
    base::look_for_memory();
    free_.reserve(2 * needed);
  }
  const auto before = static_cast<std::ptrdiff_t>(free_.size());
  regions_.take_page([this](cell& c) {
    free_.push_back(&c);
    ++out_;
  });
  std::reverse(free_.begin() + before, free_.end());  // actors of one thread lie in the order in which it creates them
  // relaxed: hint, see room.
  room_.store(static_cast<std::uint32_t>(regions_.open_pages() * cell_region::page_cells), std::memory_order_relaxed);
}

void cell_store::take(std::span<cell*> into) {
  std::lock_guard lock(mutex_);
  while (free_.size() < into.size()) open_page();
  std::reverse_copy(free_.end() - static_cast<std::ptrdiff_t>(into.size()), free_.end(), into.begin());
  free_.resize(free_.size() - into.size());
}

void cell_store::give(std::span<cell* const> cells) noexcept {
  std::lock_guard lock(mutex_);
  for (cell* one : cells) {
    if (!one->is_worn_out()) {
      free_.push_back(one);
    } else {
      regions_.wear(*one);
      --out_;
    }
  }
}

bool cell_store::rest() noexcept {
  const std::lock_guard lock(mutex_);
  if (!regions_.may_rest()) return false;
  for (std::size_t n = std::min(free_.size(), put_at_once); n != 0; --n, --out_) {
    regions_.put(*free_.back());
    free_.pop_back();
  }
  if (!free_.empty() || regions_.rest()) return true;
  shrink();
  return false;
}

// The list of free cells keeps the room that it may need. REQUIRES: free_ is empty.
void cell_store::shrink() noexcept {
  // relaxed: hint, see room.
  room_.store(static_cast<std::uint32_t>(regions_.open_pages() * cell_region::page_cells), std::memory_order_relaxed);
  if (free_.capacity() / 4 <= out_ + cell_region::page_cells) return;
  try {
    std::vector<cell*> smaller;
    smaller.reserve(2 * (out_ + cell_region::page_cells));
    free_.swap(smaller);
  } catch (const std::bad_alloc&) {
    // Then it stays as it is.
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
  return regions_.bytes_held();
}

std::uint64_t cell_store::allocations() const noexcept {
  std::lock_guard lock(mutex_);
  return regions_.allocations();
}

void cell_cache::refill() {
  std::array<cell*, batch_cells> fresh;
  store_->take(fresh);
  for (cell* c : fresh) at(end_++) = c;
}

void cell_cache::give_worn(cell& c) noexcept {
  cell* const worn = &c;
  store_->give({&worn, 1});
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
