#include "base/block_depot.hpp"

#include <algorithm>
#include <functional>
#include <new>
#include <utility>

namespace tact::base {
namespace {

constexpr std::size_t kept_bytes = 2 << 20;  // spare blocks of each size; covers what waits for a grace period

template <std::size_t... C>
std::array<block_depot, sizeof...(C)>* make_depots(std::index_sequence<C...>) {
  return new std::array<block_depot, sizeof...(C)>{
      block_depot(kept_bytes / (batch_blocks * detail::bytes_of_block(C)))...};
}

}  // namespace

block_depot& depot_of(detail::block_class c) noexcept {
  static auto* all = make_depots(std::make_index_sequence<detail::block_classes>{});
  return (*all)[c];
}

bool block_depot::give(block_place where, void* const* blocks) noexcept {
  const std::lock_guard lock(mutex_);
  if (count_ >= kept_) return false;
  batch* const b = empty_ != nullptr ? std::exchange(empty_, empty_->next) : new (std::nothrow) batch;
  if (b == nullptr) return false;
  std::copy_n(blocks, batch_blocks, b->blocks.begin());
  b->next = std::exchange(full_[where], b);
  ++count_;
  return true;
}

bool block_depot::take(block_place where, void** into) noexcept {
  const std::lock_guard lock(mutex_);
  if (count_ == 0) return false;
  batch*& first = full_[where] != nullptr ? full_[where] : *std::find_if(full_.begin(), full_.end(), std::identity{});
  batch* const b = std::exchange(first, first->next);
  std::copy(b->blocks.begin(), b->blocks.end(), into);
  b->next = std::exchange(empty_, b);
  --count_;
  return true;
}

void block_depot::trim() noexcept {
  const std::lock_guard lock(mutex_);
  while (empty_ != nullptr) delete std::exchange(empty_, empty_->next);
}

}  // namespace tact::base
