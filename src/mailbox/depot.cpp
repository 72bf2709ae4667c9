#include "mailbox/depot.hpp"

#include "base/blocks.hpp"
#include "mailbox/chunk_memory.hpp"

namespace tact::mailbox {

depot::~depot() {
  chunk* spare = nullptr;
  while (apart_.pop(spare)) free_chunk(spare);
  while (batches_.pop(spare))
    while (spare != nullptr) free_chunk(std::exchange(spare, spare->next));
}

chunk* depot::allocate(bool is_permitted) {
  chunk* const made = allocate_chunk(bind_, is_permitted);
  // relaxed: counter, read for statistics only.
  allocations_.fetch_add(1, std::memory_order_relaxed);
  // relaxed: counter, as above.
  held_.fetch_add(1, std::memory_order_relaxed);
  return made;
}

// Several at once, because all threads of the process allocate chunks under one lock.
depot::list depot::allocate_some(bool is_permitted) {
  list made;
  made.count = allocate_chunks(allocated_at_once, made.first, bind_, is_permitted);
  // relaxed: counter, read for statistics only.
  allocations_.fetch_add(made.count, std::memory_order_relaxed);
  // relaxed: counter, as above.
  held_.fetch_add(made.count, std::memory_order_relaxed);
  return made;
}

// Null: there is none.
chunk* depot::take_apart() noexcept {
  chunk* spare = nullptr;
  if (apart_.pop(spare)) return spare;
  if (!batches_.pop(spare)) return nullptr;
  for (chunk* rest = spare->next; rest != nullptr;) give(std::exchange(rest, rest->next));
  return spare;
}

chunk* depot::take() {
  const bool is_permitted = base::may_allocate();
  chunk* const spare = is_permitted ? take_apart() : nullptr;
  if (spare == nullptr) return allocate(is_permitted);
  spare->clear();
  return spare;
}

depot::list depot::take_some() {
  const bool is_permitted = base::may_allocate();
  chunk* spare = nullptr;
  if (is_permitted && batches_.pop(spare)) return {spare, batch_chunks};
  if (!is_permitted || !apart_.pop(spare)) return allocate_some(is_permitted);
  spare->next = nullptr;
  return {spare, 1};
}

void depot::give(chunk* spare) noexcept {
  if (!apart_.bounded_push(spare)) drop(spare);
}

void depot::give_batch(chunk* first) noexcept {
  if (!batches_.bounded_push(first)) drop_all(first);
}

void depot::trim() noexcept {
  chunk* spare = nullptr;
  while (apart_.pop(spare)) drop(spare);
  while (batches_.pop(spare)) drop_all(spare);
  trim_chunks();
}

void depot::drop_all(chunk* first) noexcept {
  while (first != nullptr) drop(std::exchange(first, first->next));
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

chunk* chunk_store::take_from_depot() {
  top_ = depot_->take_some();
  return take_spare();
}

void chunk_store::hold_back() noexcept {
  if (held_back_count_ == held_back_max_) depot_->give_batch(held_back_[--held_back_count_]);
  held_back_[held_back_count_++] = top_.first;
  top_ = {};
}

void chunk_store::trim(unsigned kept) noexcept {
  while (held_back_count_ != 0) depot_->give_batch(held_back_[--held_back_count_]);
  while (top_.count > kept) {
    chunk* const surplus = std::exchange(top_.first, top_.first->next);
    --top_.count;
    depot_->give(surplus);
  }
}

}  // namespace tact::mailbox
