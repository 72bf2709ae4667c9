// What goes from entry to entry of a vector or a queue.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <compare>
#include <cstddef>
#include <iterator>
#include <memory>

namespace tact::detail {

// Table has: value_type; leaf_width; `slot`; and slot_at(place), which is null at the end.
template <class Table>
class place_iterator {
  using slot = typename Table::slot;

 public:
  using iterator_category = std::random_access_iterator_tag;
  using value_type = typename Table::value_type;
  using difference_type = std::ptrdiff_t;
  using reference = const value_type&;
  using pointer = const value_type*;

  place_iterator() = default;
  // For the tables.
  place_iterator(const Table& of, std::size_t at) noexcept : of_(std::addressof(of)), at_(at), here_(of.slot_at(at)) {}

  reference operator*() const noexcept { return here_->get(); }
  pointer operator->() const noexcept { return std::addressof(here_->get()); }
  reference operator[](difference_type n) const noexcept { return *(*this + n); }
  place_iterator& operator++() noexcept {
    ++at_;
    here_ = is_begin_of_leaf(at_) ? of_->slot_at(at_) : here_ + 1;
    return *this;
  }
  place_iterator operator++(int) noexcept {
    place_iterator old = *this;
    ++*this;
    return old;
  }
  place_iterator& operator--() noexcept {
    here_ = here_ == nullptr || is_begin_of_leaf(at_) ? of_->slot_at(at_ - 1) : here_ - 1;
    --at_;
    return *this;
  }
  place_iterator operator--(int) noexcept {
    place_iterator old = *this;
    --*this;
    return old;
  }
  place_iterator& operator+=(difference_type n) noexcept {
    if (n != 0) *this = place_iterator(*of_, at_ + static_cast<std::size_t>(n));
    return *this;
  }
  place_iterator& operator-=(difference_type n) noexcept { return *this += -n; }
  friend place_iterator operator+(place_iterator i, difference_type n) noexcept { return i += n; }
  friend place_iterator operator+(difference_type n, place_iterator i) noexcept { return i += n; }
  friend place_iterator operator-(place_iterator i, difference_type n) noexcept { return i -= n; }
  friend difference_type operator-(const place_iterator& a, const place_iterator& b) noexcept {
    return static_cast<difference_type>(a.at_ - b.at_);
  }
  friend bool operator==(const place_iterator& a, const place_iterator& b) noexcept { return a.at_ == b.at_; }
  friend auto operator<=>(const place_iterator& a, const place_iterator& b) noexcept { return a.at_ <=> b.at_; }

 private:
  static bool is_begin_of_leaf(std::size_t at) noexcept { return at % Table::leaf_width == 0; }

  const Table* of_ = nullptr;
  std::size_t at_ = 0;
  const slot* here_ = nullptr;  // null: behind the last entry, if it is not one place behind a slot
};

}  // namespace tact::detail

#include "tact/detail/end.hpp"  // last
