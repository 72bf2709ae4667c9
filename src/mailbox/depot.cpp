#include "mailbox/depot.hpp"

#include "base/blocks.hpp"
#include "mailbox/chunk_memory.hpp"

namespace tact::mailbox {

depot::~depot() {
  chunk* spare = nullptr;
  while (spare_.pop(spare)) free_chunk(spare);
}

chunk* depot::take() {
  const bool is_permitted = base::may_allocate();
  chunk* spare = nullptr;
  if (is_permitted && spare_.pop(spare)) {
    spare->clear();
    return spare;
  }
  spare = allocate_chunk(is_permitted);
  // relaxed: counter, read for statistics only.
  allocations_.fetch_add(1, std::memory_order_relaxed);
  // relaxed: counter, as above.
  held_.fetch_add(1, std::memory_order_relaxed);
  return spare;
}

void depot::give(chunk* spare) noexcept {
  if (!spare_.bounded_push(spare)) drop(spare);
}

void depot::trim() noexcept {
  chunk* spare = nullptr;
  while (spare_.pop(spare)) drop(spare);
  trim_chunks();
}

void depot::drop(chunk* spare) noexcept {
  free_chunk(spare);
  // relaxed: counter, read for statistics only.
  held_.fetch_sub(1, std::memory_order_relaxed);
}

std::uint64_t depot::allocations() const noexcept {
  // relaxed: counter, read for statistics only.
  return allocations_.load(std::memory_order_relaxed);
}

std::uint64_t depot::chunks_held() const noexcept {
  // relaxed: counter, read for statistics only.
  return held_.load(std::memory_order_relaxed);
}

void chunk_store::trim(unsigned kept) noexcept {
  while (count_ > kept) {
    chunk* surplus = first_;
    first_ = surplus->next;
    --count_;
    depot_->give(surplus);
  }
}

}  // namespace tact::mailbox
