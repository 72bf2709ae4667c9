#include "actors/time/timer_store.hpp"

#include <utility>

namespace tact::actors {

void hold_spare_timers() noexcept { spare_regions<timer_region>::all().hold(); }
void release_spare_timers() noexcept { spare_regions<timer_region>::all().release(); }

timer_record* timer_store::take_chain() {
  const std::lock_guard lock(mutex_);
  if (chains_ != nullptr) return std::exchange(chains_, chains_->next_chain);
  timer_record* chain = nullptr;
  timer_record* last = nullptr;
  unsigned length = 0;
  regions_.take_page([&](timer_record& r) {
    (last == nullptr ? chain : last->next) = &r;
    last = &r;
    ++length;
  });
  last->next = nullptr;
  chain->to = length;
  return chain;
}

void timer_store::give_chain(timer_record& first, unsigned length) noexcept {
  first.to = length;
  const std::lock_guard lock(mutex_);
  first.next_chain = std::exchange(chains_, &first);
}

bool timer_store::rest() noexcept {
  const std::lock_guard lock(mutex_);
  if (!regions_.may_rest()) return false;
  for (unsigned n = put_at_once; n != 0 && chains_ != nullptr; --n) {
    timer_record* r = std::exchange(chains_, chains_->next_chain);
    while (r != nullptr) regions_.put(*std::exchange(r, r->next));
  }
  return chains_ != nullptr || regions_.rest();
}

std::uint64_t timer_store::bytes_held() const noexcept {
  const std::lock_guard lock(mutex_);
  return regions_.bytes_held();
}

std::uint64_t timer_store::allocations() const noexcept {
  const std::lock_guard lock(mutex_);
  return regions_.allocations();
}

void timer_cache::refill() {
  if (other_ != nullptr) {
    first_ = std::exchange(other_, nullptr);
    length_ = timer_store::chain_length;
  } else {
    first_ = store_->take_chain();
    length_ = static_cast<unsigned>(first_->to);
  }
}

void timer_cache::put_aside() noexcept {
  if (other_ != nullptr) store_->give_chain(*other_, timer_store::chain_length);
  other_ = std::exchange(first_, nullptr);
  length_ = 0;
}

void timer_cache::trim() noexcept {
  if (first_ != nullptr) store_->give_chain(*std::exchange(first_, nullptr), std::exchange(length_, 0));
  if (other_ != nullptr) store_->give_chain(*std::exchange(other_, nullptr), timer_store::chain_length);
}

}  // namespace tact::actors
