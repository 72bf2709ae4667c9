#include "actors/cells/cell_store.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "actors/cells/metadata.hpp"
#include "actors/cells/sites.hpp"
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
    constexpr unsigned page = cell_region::pages_at_front;
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
    // No message of the engine that had the region is left.
    delete a.mailboxes.exchange(nullptr);
  }
  // The first page is never given back. Another engine, with other shards, will get the number of the one that has
  // ended; so no old route may stay.
  for (std::size_t line = detail::route_words::first_cell; line < region_page_bytes / sizeof(std::uint64_t); ++line) {
    // relaxed: private until published, as in cell::send_by.
    detail::route_words::of_cell(reinterpret_cast<std::uintptr_t>(this) + line * sizeof(cell))
        .store(0, std::memory_order_relaxed);
  }
  // If the system has taken its pages back they are zeros, and are to stay so.
  for (unsigned page = pages_at_front; page < pages; ++page) {
    for (unsigned run = 0; run < page_runs; ++run) {
      auto& word = detail::route_words::of_run(reinterpret_cast<std::uintptr_t>(&at(*this, page, run * run_cells)));
      // relaxed, twice: private until published, as in lead_run.
      if (word.load(std::memory_order_relaxed) != 0) word.store(0, std::memory_order_relaxed);
    }
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

// Takes what is free of a page, and sorts it: a run of which all cells are free is nobody's.
void cell_store::open_page() {
  const std::size_t needed = out_ + cell_region::page_cells;
  if (free_.capacity() < needed) {
    base::look_for_memory();
    free_.reserve(2 * needed);
  }
  if (const std::size_t runs = needed / cell_region::run_cells; free_runs_.capacity() < runs) {
    base::look_for_memory();
    free_runs_.reserve(2 * runs);
  }
  std::array<cell*, cell_region::page_cells> page;
  std::size_t count = 0;
  regions_.take_page([&](cell& c) { page[count++] = &c; });
  out_ += count;
  const auto run_of = [](const cell* c) {
    return reinterpret_cast<std::uintptr_t>(c) / detail::route_words::run_bytes;
  };
  for (std::size_t begin = 0; begin != count;) {
    std::size_t end = begin + 1;
    while (end != count && run_of(page[end]) == run_of(page[begin])) ++end;
    sort_in(std::span(page).subspan(begin, end - begin));
    begin = end;
  }
  // relaxed: hint, see room.
  room_.store(static_cast<std::uint32_t>(regions_.open_pages() * cell_region::page_cells), std::memory_order_relaxed);
}

void cell_store::sort_in(std::span<cell* const> of_run) noexcept {
  if (of_run.size() == cell_region::run_cells) {
    cell_region::lead_run(*of_run.front(), 0);
    free_runs_.push_back({of_run.front(), any_office});
  } else {
    for (cell* c : of_run) keep_single(*c);
  }
}

// Keeps a cell of a run in which others are in use.
void cell_store::keep_single(cell& c) noexcept {
  if (!c.is_in_run()) return free_.push_back(&c);
  cells_of_shard& of_shard = of_shard_[c.shard_of_run()];
  try {
    of_shard.make_room(1);
    ++of_shard.out;
    of_shard.free.push_back(&c);
  } catch (const std::bad_alloc&) {
    regions_.put(c);  // another time
    --out_;
  }
}

void cell_store::cells_of_shard::make_room(std::size_t more) {
  const std::size_t needed = out + more;
  if (free.capacity() >= needed) return;
  base::look_for_memory();
  free.reserve(2 * needed);
}

// REQUIRES: free is empty.
void cell_store::cells_of_shard::shrink() noexcept {
  if (free.capacity() / 4 <= out + cell_region::run_cells) return;
  try {
    std::vector<cell*> smaller;
    smaller.reserve(2 * (out + cell_region::run_cells));
    free.swap(smaller);
  } catch (const std::bad_alloc&) {
    // Then it stays as it is.
  }
}

// Opens a run for cells that lie in no run, in the order of their addresses.
void cell_store::take_free_run() {
  if (free_runs_.empty()) open_page();
  if (free_runs_.empty()) return;  // the page had single cells
  cell* const first = free_runs_.back().first;
  free_runs_.pop_back();
  for (unsigned i = cell_region::run_cells; i-- != 0;) free_.push_back(first + i);
}

void cell_store::take(std::span<cell*> into) {
  std::lock_guard lock(mutex_);
  while (free_.size() < into.size()) take_free_run();
  std::reverse_copy(free_.end() - static_cast<std::ptrdiff_t>(into.size()), free_.end(), into.begin());
  free_.resize(free_.size() - into.size());
}

void cell_store::take_in(mailbox::route where, std::uint32_t office, std::span<cell*> into) {
  const std::lock_guard lock(mutex_);
  if (of_shard_.size() <= where.shard()) of_shard_.resize(where.shard() + std::size_t{1});
  auto& free = of_shard_[where.shard()].free;
  while (free.size() < into.size()) take_run(where, office);
  std::reverse_copy(free.end() - static_cast<std::ptrdiff_t>(into.size()), free.end(), into.begin());
  free.resize(free.size() - into.size());
}

// Opens a run for the shard, or gets single cells of one: call it again until there are enough.
void cell_store::take_run(mailbox::route where, std::uint32_t office) {
  cells_of_shard& into = of_shard_[where.shard()];
  into.make_room(cell_region::run_cells);
  const auto fits = [=](const free_run& r) { return r.office == office || r.office == any_office; };
  const auto found = std::find_if(free_runs_.rbegin(), free_runs_.rend(), fits);
  if (found == free_runs_.rend()) return open_page();
  cell* const first = found->first;
  free_runs_.erase(std::next(found).base());
  // What is free of the rest of the page should go to the same office.
  const auto page_of = [](const cell* c) { return reinterpret_cast<std::uintptr_t>(c) / region_page_bytes; };
  for (free_run& r : free_runs_) {
    if (page_of(r.first) == page_of(first)) r.office = office;
  }
  cell_region::lead_run(*first, where.bits());
  into.out += cell_region::run_cells;
  for (unsigned i = cell_region::run_cells; i-- != 0;) into.free.push_back(first + i);
}

void cell_store::give(std::span<cell* const> cells) noexcept {
  std::lock_guard lock(mutex_);
  for (cell* one : cells) give_one(*one);
}

void cell_store::give_single(std::span<cell* const> cells) noexcept {
  const std::lock_guard lock(mutex_);
  free_.insert(free_.end(), cells.begin(), cells.end());
}

void cell_store::give_in(std::uint32_t shard, std::span<cell* const> cells) noexcept {
  const std::lock_guard lock(mutex_);
  auto& free = of_shard_[shard].free;
  free.insert(free.end(), cells.begin(), cells.end());
}

void cell_store::give_one(cell& c) noexcept {
  if (c.is_worn_out()) {
    regions_.wear(c);
    --out_;
    if (c.is_in_run()) --of_shard_[c.shard_of_run()].out;
  } else if (c.is_in_run()) {
    of_shard_[c.shard_of_run()].free.push_back(&c);
  } else {
    free_.push_back(&c);
  }
}

bool cell_store::rest() noexcept {
  const std::lock_guard lock(mutex_);
  if (!regions_.may_rest()) return false;
  if (put_some() || regions_.rest()) return true;
  shrink();
  return false;
}

// Puts some of the free cells back into the books of their regions. False: there were none.
bool cell_store::put_some() noexcept {
  std::size_t left = put_at_once;
  const auto put = [&](cell& c) {
    regions_.put(c);
    --out_;
    --left;
  };
  for (; left != 0 && !free_.empty(); free_.pop_back()) put(*free_.back());
  for (; left >= cell_region::run_cells && !free_runs_.empty(); free_runs_.pop_back()) {
    for (unsigned i = 0; i < cell_region::run_cells; ++i) put(free_runs_.back().first[i]);
  }
  for (auto& shard : of_shard_) {
    for (; left != 0 && !shard.free.empty(); shard.free.pop_back(), --shard.out) put(*shard.free.back());
  }
  return left != put_at_once;
}

// The list of free cells keeps the room that it may need. REQUIRES: free_ is empty.
void cell_store::shrink() noexcept {
  // relaxed: hint, see room.
  room_.store(static_cast<std::uint32_t>(regions_.open_pages() * cell_region::page_cells), std::memory_order_relaxed);
  for (auto& shard : of_shard_) shard.shrink();
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

void cell_ring::refill() {
  std::array<cell*, batch_cells> fresh;
  store_->take(fresh);
  for (cell* c : fresh) at(end_++) = c;
}

void cell_cache::give_worn(cell& c) noexcept {
  cell* const worn = &c;
  store_->give({&worn, 1});
}

void cell_ring::spill(unsigned count) noexcept {
  while (count != 0) {
    const unsigned from = first_ % kept_cells;
    const unsigned now = std::min(count, kept_cells - from);
    store_->give_single({&ring_[from], now});
    first_ += now;
    count -= now;
  }
}

run_cells::run_cells(cell_store& shared, std::uint32_t shards)
    : store_(&shared),
      kept_(std::bit_floor(std::clamp(kept_of_all / std::max(shards, 1U), kept_least, kept_most))),
      rings_(shards),
      cells_(std::size_t{shards} * kept_) {}

void run_cells::refill(mailbox::route where, std::uint32_t office) {
  std::array<cell*, batch_cells> fresh;
  store_->take_in(where, office, fresh);
  const std::uint32_t shard = where.shard();
  used_ = std::max(used_, shard + 1);
  for (cell* c : fresh) at(shard, rings_[shard].end++) = c;
}

void run_cells::spill(std::uint32_t shard, std::uint32_t count) noexcept {
  ring& r = rings_[shard];
  while (count != 0) {
    const std::uint32_t now = std::min(count, kept_ - (r.first & (kept_ - 1)));
    store_->give_in(shard, {&at(shard, r.first), now});
    r.first += now;
    count -= now;
  }
}

void run_cells::trim() noexcept {
  for (std::uint32_t shard = 0; shard < used_; ++shard) spill(shard, rings_[shard].size());
}

}  // namespace tact::actors
