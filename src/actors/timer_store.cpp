#include "actors/timer_store.hpp"

#include <algorithm>
#include <utility>

#include "actors/slab_region.hpp"
#include "base/blocks.hpp"

namespace tact::actors {
namespace {

// Slabs without an engine. Never destroyed: a timer's handle may outlive all static objects.
struct spare_slabs {
  std::mutex mutex;
  timer_slab* free = nullptr;   // linked by next_spare
  timer_slab* bound = nullptr;  // the same, for engines whose pages are bound

  // REQUIRES for both: the caller has the mutex.
  [[nodiscard]] timer_slab*& first(base::page_binder bind) noexcept { return bind == nullptr ? free : bound; }
  void give(timer_slab& slab, base::page_binder bind) noexcept { slab.next_spare = std::exchange(first(bind), &slab); }
};
spare_slabs& spares() {
  static auto* const all = new spare_slabs;
  return *all;
}

timer_slab* take_spare(base::page_binder bind) {
  const std::lock_guard lock(spares().mutex);
  timer_slab* const slab = spares().first(bind);
  if (slab != nullptr) spares().first(bind) = slab->next_spare;
  return slab;
}

}  // namespace

void hold_spare_timers() noexcept { spares().mutex.lock(); }
void release_spare_timers() noexcept { spares().mutex.unlock(); }

timer_store::~timer_store() {
  const std::lock_guard lock(spares().mutex);
  for (timer_slab* slab : slabs_) {
    slab->gate.store(nullptr);
    spares().give(*slab, bind_);
  }
  for (timer_slab* slab : unused_) spares().give(*slab, bind_);
}

void timer_store::add_slab() {
  base::look_for_memory();
  slabs_.reserve(slabs_.size() + 1);
  timer_slab* slab = nullptr;
  if (!unused_.empty()) {
    slab = unused_.back();
    unused_.pop_back();
  } else if (slab = take_spare(bind_); slab == nullptr) {
    // Timers that fire together were set at many different times, so their records lie all over the memory; with small
    // pages almost each of them would need a look-up of its address.
    const bool many = bind_ != nullptr || slabs_.size() >= single_slabs;
    if (many) unused_.reserve(slab_region_bytes / timer_slab::bytes);
    slab = many ? make_slabs(unused_, bind_) : new timer_slab;
    ++allocations_;
  }
  slab->gate.store(gate_);
  slabs_.push_back(slab);
  handed_out_ = 0;
}

timer_record* timer_store::take_chain() {
  const std::lock_guard lock(mutex_);
  if (chains_ != nullptr) return std::exchange(chains_, chains_->next_chain);
  if (handed_out_ == timer_slab::capacity) add_slab();
  timer_record* chain = nullptr;
  const unsigned end = std::min(handed_out_ + chain_length, timer_slab::capacity);
  for (unsigned i = end; i-- > handed_out_;) {
    timer_record& fresh = slabs_.back()->records[i];
    fresh.next = std::exchange(chain, &fresh);
  }
  chain->to = end - std::exchange(handed_out_, end);
  return chain;
}

void timer_store::give_chain(timer_record& first, unsigned length) noexcept {
  first.to = length;
  const std::lock_guard lock(mutex_);
  first.next_chain = std::exchange(chains_, &first);
}

std::uint64_t timer_store::bytes_held() const noexcept {
  const std::lock_guard lock(mutex_);
  return slabs_.size() * timer_slab::bytes;
}

std::uint64_t timer_store::allocations() const noexcept {
  const std::lock_guard lock(mutex_);
  return allocations_;
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
