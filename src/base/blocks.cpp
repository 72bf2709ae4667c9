#include "base/blocks.hpp"

#if defined(__GLIBC__)
#include <malloc.h>
#endif

#include <algorithm>
#include <array>
#include <cstdlib>
#include <mutex>
#include <new>
#include <utility>

namespace tact::base {

using detail::block_class;
using detail::block_classes;
using detail::bytes_of_block;

namespace {

constexpr unsigned batch_blocks = 64;
constexpr std::size_t kept_bytes = 2 << 20;  // spare blocks of each size; covers what waits for a grace period

// The contents of a block that is not in use.
struct spare_block {
  spare_block* next;        // in its list
  spare_block* next_batch;  // the next batch in the depot; valid in the first block of a batch
};

// The spare blocks of one size on one thread.
struct block_shelf {
  spare_block* first = nullptr;
  std::uint32_t count = 0;
  std::uint32_t room = 0;  // how many blocks the shelf may hold; 0 until the thread uses it
};

constexpr std::size_t reserve_pieces = 128;
constexpr std::uint64_t worth_a_trim = 8 << 20;
constexpr std::size_t piece_bytes = bytes_of_block(block_classes - 1);  // so a piece serves as a block of any class

// What this process has taken from the system. A mutex is fast enough here, because threads ask the system only while a
// load grows.
struct system_account {
  std::mutex mutex;
  block_usage usage{};
  std::uint64_t held_at_most = 0;  // since malloc was made to give memory back
  reserve<reserve_pieces> kept;

  // REQUIRES for all: the caller has the mutex.
  void* take(std::size_t bytes) {
    void* const block = std::malloc(bytes);
    if (block == nullptr) throw std::bad_alloc();
    ++usage.allocations;
    usage.bytes_held += bytes;
    held_at_most = std::max(held_at_most, usage.bytes_held);
    return block;
  }
  // True, once, when so much was freed that what malloc keeps of it is worth a call.
  [[nodiscard]] bool has_freed_much() noexcept {
    if (held_at_most - usage.bytes_held < worth_a_trim) return false;
    held_at_most = usage.bytes_held;
    return true;
  }
  void fill() {
    kept.fill([this] { return take(piece_bytes); });
  }
  void* take_kept(std::size_t bytes) noexcept {
    void* const piece = bytes <= piece_bytes ? kept.take() : nullptr;
    if (piece == nullptr) reserve_is_used_up();
    usage.bytes_held -= piece_bytes - bytes;
    return piece;
  }
};

// Never destroyed, like the depots below: a thread may end, and give blocks back, after main has returned.
system_account& account() {
  static auto* only = new system_account;
  return *only;
}

void* from_system(std::size_t bytes) {
  const bool is_permitted = may_allocate();
  system_account& all = account();
  const std::lock_guard lock(all.mutex);
  if (may_use_reserve::here()) {
    try {
      if (is_permitted) return all.take(bytes);
    } catch (const std::bad_alloc&) {
      // The block comes out of the reserve instead.
    }
    return all.take_kept(bytes);
  }
  if (!is_permitted) throw std::bad_alloc();
  all.fill();
  return all.take(bytes);
}

void to_system(void* block, std::size_t bytes) noexcept {
  std::free(block);
  std::lock_guard lock(account().mutex);
  account().usage.bytes_held -= bytes;
}

// Spare batches of one size, shared by all threads. A thread comes here once for each batch_blocks blocks.
struct depot {
  std::mutex mutex;
  spare_block* batches = nullptr;
  unsigned count = 0;

  // Takes the batch over. False: the depot is full, and the caller frees the batch.
  bool give(spare_block* batch, std::size_t kept_batches) noexcept {
    std::lock_guard lock(mutex);
    if (count >= kept_batches) return false;
    batch->next_batch = batches;
    batches = batch;
    ++count;
    return true;
  }
  spare_block* take() noexcept {
    std::lock_guard lock(mutex);
    spare_block* batch = batches;
    if (batch != nullptr) {
      batches = batch->next_batch;
      --count;
    }
    return batch;
  }
};

std::array<depot, block_classes>& depots() {
  static auto* all = new std::array<depot, block_classes>;
  return *all;
}

struct block_shelves {
  std::array<block_shelf, block_classes> all{};
  // Each thread holds back one full batch of each size, so that a thread whose stock moves around the edge of a batch
  // does not go to the depot for every block.
  std::array<spare_block*, block_classes> reserves{};
};

// Those of a thread that keeps no blocks. Nothing can be taken from them or put there, so nobody writes to them.
constinit const block_shelves closed_shelves{};

// The shelves of this thread. Only this pointer lies in the storage that a thread has from its start, of which all
// libraries that dlopen loads share less than 2 KiB. So an access costs one load, in a shared library too.
[[gnu::tls_model("initial-exec")]] constinit thread_local const block_shelves* shelves_of_thread = &closed_shelves;

bool are_open() noexcept { return shelves_of_thread != &closed_shelves; }

// REQUIRES: they are open; or the caller only reads.
block_shelves& shelves() noexcept { return const_cast<block_shelves&>(*shelves_of_thread); }

spare_block* pop(block_shelf& shelf) noexcept {
  spare_block* b = shelf.first;
  shelf.first = b->next;
  --shelf.count;
  return b;
}

void push(block_shelf& shelf, void* block) noexcept {
  auto* b = static_cast<spare_block*>(block);
  b->next = shelf.first;
  shelf.first = b;
  ++shelf.count;
}

void hand_over(block_class c, spare_block* batch) noexcept {
  const std::size_t bytes = bytes_of_block(c);
  if (batch == nullptr || depots()[c].give(batch, kept_bytes / (batch_blocks * bytes))) return;
  while (batch != nullptr) to_system(std::exchange(batch, batch->next), bytes);
}

void empty_shelves() noexcept {
  if (!are_open()) return;
  block_shelves& mine = shelves();
  for (block_class c = 0; c < block_classes; ++c) {
    hand_over(c, std::exchange(mine.reserves[c], nullptr));
    while (mine.all[c].count != 0) to_system(pop(mine.all[c]), bytes_of_block(c));
  }
}

// True once the shelves of the thread are closed for good. Objects of the thread that are destroyed after that get
// their blocks straight from the system.
constinit thread_local bool thread_has_ended = false;

void close_shelves() noexcept {
  if (!are_open()) return;
  empty_shelves();
  delete std::exchange(shelves_of_thread, &closed_shelves);
}

struct at_thread_end {
  ~at_thread_end() {
    close_shelves();
    thread_has_ended = true;
  }
  void stand_ready() noexcept {}
};
thread_local at_thread_end thread_end;

// May the calling thread keep spare blocks now? Then it has shelves.
bool pools() noexcept {
  if (!pooling || thread_has_ended || allocation_watch::current() != nullptr) return false;
  if (are_open()) return true;
  const auto* const opened = new (std::nothrow) block_shelves;
  if (opened == nullptr) return false;
  thread_end.stand_ready();
  shelves_of_thread = opened;
  return true;
}

[[gnu::noinline]] void* take_elsewhere(block_class c) {
  if (!pools()) return from_system(bytes_of_block(c));
  block_shelf& shelf = shelves().all[c];
  shelf.first = std::exchange(shelves().reserves[c], nullptr);
  if (shelf.first == nullptr) shelf.first = depots()[c].take();
  if (shelf.first == nullptr) return from_system(bytes_of_block(c));
  shelf.count = batch_blocks;
  shelf.room = batch_blocks;
  return pop(shelf);
}

[[gnu::noinline]] void put_elsewhere(void* block, block_class c) noexcept {
  if (!pools()) return to_system(block, bytes_of_block(c));
  block_shelf& shelf = shelves().all[c];
  if (shelf.count == batch_blocks) {
    hand_over(c, std::exchange(shelves().reserves[c], shelf.first));
    shelf = {};
  }
  shelf.room = batch_blocks;
  push(shelf, block);
}

}  // namespace

constinit thread_local allocation_watch* allocation_watch::current_ = nullptr;

void allocation_watch::begin(allocation_watch* by) noexcept {
  close_shelves();
  current_ = by;
}

// allocate_pooled and free_pooled are not inlined into handlers: a handler that waits may continue on another thread,
// where the address of a thread-local that the compiler has kept would be wrong.
void* allocate_pooled(block_class c) {
  block_shelf& shelf = shelves().all[c];
  if (shelf.first == nullptr) [[unlikely]]
    return take_elsewhere(c);
  return pop(shelf);
}

void free_pooled(void* block, block_class c) noexcept {
  block_shelf& shelf = shelves().all[c];
  if (shelf.count == shelf.room) [[unlikely]]
    return put_elsewhere(block, c);
  push(shelf, block);
}

void* allocate_large(std::size_t bytes) { return from_system(bytes); }
void free_large(void* block, std::size_t bytes) noexcept { to_system(block, bytes); }

void* allocate_counted(std::size_t bytes) { return from_system(bytes); }
void free_counted(void* block, std::size_t bytes) noexcept { to_system(block, bytes); }

void trim_blocks() noexcept { empty_shelves(); }

bool trim_shared_blocks() noexcept {
  for (block_class c = 0; c < block_classes; ++c) {
    spare_block* batch = depots()[c].take();
    if (batch == nullptr) continue;
    while (batch != nullptr) to_system(std::exchange(batch, batch->next), bytes_of_block(c));
    return true;
  }
#if defined(__GLIBC__)
  const bool trims = [] {
    const std::lock_guard lock(account().mutex);
    return pooling && account().has_freed_much();
  }();
  // By itself malloc gives back only what lies at the top of its heap, above the last block in use.
  if (trims) ::malloc_trim(0);
#endif
  return false;
}

void fill_block_reserve() {
  const std::lock_guard lock(account().mutex);
  account().fill();
}

block_usage read_block_usage() noexcept {
  std::lock_guard lock(account().mutex);
  return account().usage;
}

void hold_blocks() noexcept {
  for (depot& d : depots()) d.mutex.lock();
  account().mutex.lock();
}

void release_blocks() noexcept {
  account().mutex.unlock();
  for (depot& d : depots()) d.mutex.unlock();
}

}  // namespace tact::base
