#include "base/blocks.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <new>
#include <utility>

#include "base/block_depot.hpp"
#include "base/prefetch.hpp"
#include "base/system_blocks.hpp"

namespace tact::base {

using detail::block_class;
using detail::block_classes;
using detail::class_of_block;
using detail::large_block;

namespace {

// The spare blocks of one size and place on one thread, as a stack of their addresses. So a block that another thread
// has freed is not touched before it is used; its line is fetched a few allocations before.
class block_shelf {
 public:
  // A closed shelf is empty, and has no room.
  constexpr explicit block_shelf(bool is_open) noexcept : room_(is_open ? 2 * batch_blocks : 0) {}

  [[nodiscard]] bool is_empty() const noexcept { return count_ == 0; }
  [[nodiscard]] bool is_full() const noexcept { return count_ == room_; }
  [[nodiscard]] void* pop() noexcept {
    --count_;
    prefetch_to_write(blocks_[count_]);
    return blocks_[count_ + soon];
  }
  void push(void* block) noexcept { blocks_[soon + count_++] = block; }

  // REQUIRES for both: it is empty, and open. True: there is a batch now.
  [[nodiscard]] bool take_batch(block_depot& from, block_place where) noexcept {
    if (!from.take(where, &blocks_[soon])) return false;
    count_ = batch_blocks;
    for (std::size_t i = 0; i < soon; ++i) prefetch_to_write(blocks_[count_ + i]);
    return true;
  }
  // Takes some from the system for later, more each time, so that few actors cost few blocks.
  void take_fresh(block_class c) noexcept {
    count_ = take_some_from_system(c, &blocks_[soon], fresh_);
    std::reverse(&blocks_[soon], &blocks_[soon + count_]);
    fresh_ = std::min(2 * fresh_ + 1, batch_blocks - 1);
  }
  // Gives away those that have been here longest. REQUIRES: there are that many.
  void give_batch(block_class c, block_place where) noexcept {
    if (!depot_of(c).give(where, &blocks_[soon])) {
      for (std::size_t i = 0; i < batch_blocks; ++i) give_to_system(blocks_[soon + i], c);
    }
    count_ -= batch_blocks;
    std::move(&blocks_[soon + batch_blocks], &blocks_[soon + batch_blocks + count_], &blocks_[soon]);
  }
  void empty(block_class c, block_place where) noexcept {
    while (count_ >= batch_blocks) give_batch(c, where);
    while (count_ != 0) give_to_system(pop(), c);
  }

 private:
  static constexpr std::size_t soon = 4;

  std::size_t count_ = 0;
  const std::size_t room_;
  std::size_t fresh_ = 0;
  // The first ones are null: what is fetched when only they are left.
  std::array<void*, soon + 2 * batch_blocks> blocks_{};
};

// The shelf of a thread that keeps no blocks. Nothing can be taken from it or put there, so no thread writes to it.
constinit const block_shelf closed_shelf{false};

// The shelves of a thread for one place. A shelf is opened when it is used first.
struct shelf_row {
  constexpr explicit shelf_row(block_place at) noexcept : where(at) { shelves.fill(&closed_shelf); }

  // REQUIRES: the shelf is open; or the caller only reads.
  [[nodiscard]] block_shelf& at(block_class c) const noexcept { return const_cast<block_shelf&>(*shelves[c]); }
  // False: there is no memory for it.
  [[nodiscard]] bool open(block_class c) noexcept {
    if (shelves[c] != &closed_shelf) return true;
    const auto* const opened = new (std::nothrow) block_shelf(true);
    if (opened == nullptr) return false;
    shelves[c] = opened;
    return true;
  }
  void close() noexcept {
    for (block_class c = 0; c < block_classes; ++c) {
      if (shelves[c] == &closed_shelf) continue;
      at(c).empty(c, where);
      delete std::exchange(shelves[c], &closed_shelf);
    }
  }

  block_place where;
  std::array<const block_shelf*, block_classes> shelves{};
};
// The rows of a thread.
struct thread_rows {
  constexpr thread_rows() noexcept : closures(&own) {}
  thread_rows(const thread_rows&) = delete;
  thread_rows& operator=(const thread_rows&) = delete;

  shelf_row own{no_worker};
  const shelf_row* closures;                        // where those come from that are made now
  std::array<shelf_row*, block_places> of_place{};  // for other places
};

// The rows of a thread that keeps no blocks.
constinit const thread_rows closed_rows{};

// Only this pointer lies in the storage that a thread has from its start, of which all libraries that dlopen loads
// share less than 2 KiB. So an access costs one load, in a shared library too.
[[gnu::tls_model("initial-exec")]] constinit thread_local const thread_rows* rows_of_thread = &closed_rows;

bool are_open() noexcept { return rows_of_thread != &closed_rows; }

// REQUIRES: they are open.
thread_rows& rows() noexcept { return const_cast<thread_rows&>(*rows_of_thread); }

// Null: there is no memory for it.
shelf_row* row_of(block_place where) noexcept {
  if (where == rows().own.where) return &rows().own;
  shelf_row*& row = rows().of_place[where];
  if (row == nullptr) row = new (std::nothrow) shelf_row(where);
  return row;
}

void empty_shelves() noexcept {
  if (!are_open()) return;
  rows().own.close();
  for (shelf_row* row : rows().of_place) {
    if (row != nullptr) row->close();
  }
}

// True once the shelves of the thread are closed for good. Objects of the thread that are destroyed after that get
// their blocks straight from the system.
constinit thread_local bool thread_has_ended = false;

void close_shelves() noexcept {
  if (!are_open()) return;
  empty_shelves();
  for (const shelf_row* row : rows().of_place) delete row;
  delete std::exchange(rows_of_thread, &closed_rows);
}

struct at_thread_end {
  ~at_thread_end() {
    close_shelves();
    thread_has_ended = true;
  }
  void stand_ready() noexcept {}
};
thread_local at_thread_end thread_end;

// May the calling thread keep spare blocks now? Then it has rows.
bool pools() noexcept {
  if (!pooling || thread_has_ended || watch_of_thread::current() != nullptr) return false;
  if (are_open()) return true;
  const auto* const opened = new (std::nothrow) thread_rows;
  if (opened == nullptr) return false;
  thread_end.stand_ready();
  rows_of_thread = opened;
  return true;
}

[[gnu::noinline]] void* take_elsewhere(bool for_closure, block_class c) {
  if (!pools()) return take_from_system(c);
  auto& row = for_closure ? const_cast<shelf_row&>(*rows().closures) : rows().own;
  if (!row.open(c)) return take_from_system(c);
  block_shelf& shelf = row.at(c);
  if (shelf.take_batch(depot_of(c), row.where)) return shelf.pop();
  void* const block = take_from_system(c);
  shelf.take_fresh(c);
  return block;
}

[[gnu::noinline]] void put_elsewhere(void* block, block_class c) noexcept {
  if (!pools()) return give_to_system(block, c);
  shelf_row& row = rows().own;
  if (!row.open(c)) return give_to_system(block, c);
  block_shelf& shelf = row.at(c);
  if (shelf.is_full()) shelf.give_batch(c, row.where);
  shelf.push(block);
}

}  // namespace

void watch_allocations(allocation_watch* by) noexcept {
  close_shelves();
  watch_of_thread::current_ = by;
}

// The next three are not inlined into handlers: a handler that waits may continue on another thread, where the address
// of a thread-local that the compiler has kept would be wrong.
void* allocate_pooled(block_class c) {
  block_shelf& shelf = rows_of_thread->own.at(c);
  return shelf.is_empty() ? take_elsewhere(false, c) : shelf.pop();
}

void* allocate_closure(block_class c) {
  block_shelf& shelf = rows_of_thread->closures->at(c);
  return shelf.is_empty() ? take_elsewhere(true, c) : shelf.pop();
}

void free_pooled(void* block, block_class c) noexcept {
  block_shelf& shelf = rows_of_thread->own.at(c);
  shelf.is_full() ? put_elsewhere(block, c) : shelf.push(block);
}

void settle_blocks(block_place where) noexcept {
  if (!pools()) return;
  rows().own.close();
  rows().own.where = where;
  place_closures_here();
}

void place_closures(block_place where) noexcept {
  if (!pools()) return;
  const shelf_row* const row = row_of(where);
  rows().closures = row != nullptr ? row : &rows().own;
}

void place_closures_outside(block_place where) noexcept {
  if (rows_of_thread->own.where == no_worker && rows_of_thread->closures->where != where) place_closures(where);
}

void place_closures_here() noexcept {
  if (are_open()) rows().closures = &rows().own;
}

void* allocate_large(std::size_t bytes) { return take_large_from_system(bytes); }
void free_large(void* block, std::size_t bytes) noexcept { give_large_to_system(block, bytes); }

void* allocate_counted(std::size_t bytes) {
  const block_class c = class_of_block(bytes);
  return c != large_block ? take_from_system(c) : take_large_from_system(bytes);
}
void free_counted(void* block, std::size_t bytes) noexcept {
  const block_class c = class_of_block(bytes);
  c != large_block ? give_to_system(block, c) : give_large_to_system(block, bytes);
}

void trim_blocks() noexcept { empty_shelves(); }

bool trim_shared_blocks() noexcept {
  for (block_class c = 0; c < block_classes; ++c) {
    block_depot& depot = depot_of(c);
    std::array<void*, batch_blocks> spare;
    if (depot.take(no_worker, spare.data())) {
      for (void* block : spare) give_to_system(block, c);
      return true;
    }
    depot.trim();
  }
  return trim_system_blocks();
}

void hold_blocks() noexcept {
  for (block_class c = 0; c < block_classes; ++c) depot_of(c).hold();
  hold_system_blocks();
}

void release_blocks() noexcept {
  release_system_blocks();
  for (block_class c = 0; c < block_classes; ++c) depot_of(c).release();
}

}  // namespace tact::base
