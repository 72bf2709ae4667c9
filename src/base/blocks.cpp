#include "base/blocks.hpp"

#include <array>
#include <cstdlib>
#include <mutex>
#include <new>

namespace tact::base {
namespace {

constexpr std::size_t step_bytes = 32;
constexpr std::size_t classes = 16;  // up to 512 bytes; larger blocks come straight from malloc
constexpr unsigned batch_blocks = 64;
constexpr std::size_t kept_bytes = 2 << 20;  // shared spare blocks of each size; covers what waits for a grace period

struct node {
  node* next;        // in its batch
  node* next_batch;  // in the depot, valid in the first node of a batch
};

struct list {
  node* first = nullptr;
  unsigned count = 0;

  void push(node* n) noexcept {
    n->next = first;
    first = n;
    ++count;
  }
  node* pop() noexcept {
    node* n = first;
    first = n->next;
    --count;
    return n;
  }
};

// What this process took from the system. Behind a mutex: blocks come from there only while a load grows.
struct system_account {
  std::mutex mutex;
  block_usage usage{};
};

// Never destroyed, like the depots below: threads may end after main has.
system_account& account() {
  static auto* only = new system_account;
  return *only;
}

void* from_system(std::size_t bytes) {
  void* block = std::malloc(bytes);
  if (block == nullptr) throw std::bad_alloc();
  std::lock_guard lock(account().mutex);
  ++account().usage.allocations;
  account().usage.bytes_held += bytes;
  return block;
}

void to_system(void* block, std::size_t bytes) noexcept {
  std::free(block);
  std::lock_guard lock(account().mutex);
  account().usage.bytes_held -= bytes;
}

// Spare batches of one size, shared by all threads. Touched once per batch_blocks blocks.
struct depot {
  std::mutex mutex;
  node* batches = nullptr;
  unsigned count = 0;

  // Takes the batch over; false: full, the caller frees it.
  bool give(node* batch, std::size_t kept_batches) noexcept {
    std::lock_guard lock(mutex);
    if (count >= kept_batches) return false;
    batch->next_batch = batches;
    batches = batch;
    ++count;
    return true;
  }
  node* take() noexcept {
    std::lock_guard lock(mutex);
    node* batch = batches;
    if (batch != nullptr) {
      batches = batch->next_batch;
      --count;
    }
    return batch;
  }
};

std::array<depot, classes>& depots() {
  static auto* all = new std::array<depot, classes>;
  return *all;
}

constexpr std::size_t class_of(std::size_t bytes) noexcept { return bytes == 0 ? 0 : (bytes - 1) / step_bytes; }
constexpr std::size_t bytes_of(std::size_t size_class) noexcept { return (size_class + 1) * step_bytes; }

void empty_at_thread_end() noexcept;

// One size on one thread: the active list, and a full batch in reserve so that a thread at the edge of a batch does not
// go to the depot for every block.
struct shelf {
  list active;
  list reserve;

  void* take(std::size_t size_class) {
    if (active.count == 0) [[unlikely]] {
      refill(size_class);
      if (active.count == 0) return from_system(bytes_of(size_class));
    }
    return active.pop();
  }
  void put(std::size_t size_class, node* n) noexcept {
    if (active.count == 0) [[unlikely]]
      empty_at_thread_end();
    active.push(n);
    if (active.count == batch_blocks) [[unlikely]]
      set_aside(size_class);
  }
  void empty(std::size_t size_class) noexcept {
    hand_over(size_class, reserve);
    while (active.count != 0) to_system(active.pop(), bytes_of(size_class));
  }

 private:
  [[gnu::noinline]] void set_aside(std::size_t size_class) noexcept {
    if (reserve.count != 0) hand_over(size_class, reserve);
    reserve = active;
    active = {};
  }
  [[gnu::noinline]] void refill(std::size_t size_class) noexcept {
    if (reserve.count != 0) {
      active = reserve;
      reserve = {};
    } else if (node* batch = depots()[size_class].take()) {
      active = {batch, batch_blocks};
    }
  }
  static void hand_over(std::size_t size_class, list& batch) noexcept {
    if (batch.count == 0) return;
    if (!depots()[size_class].give(batch.first, kept_bytes / (batch_blocks * bytes_of(size_class)))) {
      while (batch.count != 0) to_system(batch.pop(), bytes_of(size_class));
    }
    batch = {};
  }
};

// Without a constructor or destructor of its own, so that reaching it costs one address.
constinit thread_local std::array<shelf, classes> shelves{};

void empty_shelves() noexcept {
  for (std::size_t i = 0; i < classes; ++i) shelves[i].empty(i);
}

struct at_thread_end {
  ~at_thread_end() { empty_shelves(); }
};

[[gnu::noinline]] void empty_at_thread_end() noexcept {
  thread_local at_thread_end last;
  static_cast<void>(last);
}

}  // namespace

void* allocate_block(std::size_t bytes) {
  const std::size_t size_class = class_of(bytes);
  if (!pooling || size_class >= classes) return from_system(bytes);
  return shelves[size_class].take(size_class);
}

void free_block(void* block, std::size_t bytes) noexcept {
  const std::size_t size_class = class_of(bytes);
  if (!pooling || size_class >= classes) return to_system(block, bytes);
  shelves[size_class].put(size_class, static_cast<node*>(block));
}

void trim_blocks() noexcept { empty_shelves(); }

block_usage read_block_usage() noexcept {
  std::lock_guard lock(account().mutex);
  return account().usage;
}

}  // namespace tact::base
