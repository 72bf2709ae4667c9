// What tact::vector and its transient have in common.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <memory>
#include <new>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include "tact/data/detail/leaf_trie.hpp"
#include "tact/data/detail/place_iterator.hpp"
#include "tact/data/detail/same_value.hpp"
#include "tact/data/difference.hpp"

namespace tact::detail {

// The last entries lie in the tail, a leaf of its own, so that most changes at the end touch nothing else; all before
// them lie in a trie of full leaves. Of the leaves in memory those with entries that a program counts are smaller,
// since a copy of a leaf counts each.
// Thread safety of what reads: any number of threads at once.
template <class T>
class vector_table {
  static_assert(std::is_same_v<T, std::remove_cvref_t<T>>, "tact::vector: an entry is an object, and not const");

 protected:
  using trie = leaf_trie<T, ends_by_itself<T> ? 128 : 16>;
  using nodes = typename trie::nodes;
  using node = typename nodes::node;
  using leaf_node = typename nodes::leaf_node;
  using link = typename nodes::link;

 public:
  using value_type = T;
  using size_type = std::size_t;
  using difference_type = std::ptrdiff_t;
  using reference = const T&;
  using const_reference = const T&;
  using iterator = place_iterator<vector_table>;
  using const_iterator = iterator;
  using reverse_iterator = std::reverse_iterator<iterator>;
  using const_reverse_iterator = reverse_iterator;

  [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
  [[nodiscard]] size_type size() const noexcept { return size_; }
  // REQUIRES: place < size().
  [[nodiscard]] const T& operator[](size_type place) const noexcept {
    return leaf_for(place)->items()[place % leaf_width].get();
  }
  // Throws std::out_of_range if there is no such place.
  [[nodiscard]] const T& at(size_type place) const {
    refuse_beyond(place, "tact::vector: at() was called with a place that it does not have");
    return (*this)[place];
  }
  // REQUIRES of these two: not empty.
  [[nodiscard]] const T& front() const noexcept { return (*this)[0]; }
  [[nodiscard]] const T& back() const noexcept { return tail_.leaf()->items()[(size_ - 1) % leaf_width].get(); }

  // In the order of the places. An iterator is valid until the table from which it is is changed, moved or destroyed.
  [[nodiscard]] iterator begin() const noexcept { return iterator(*this, 0); }
  [[nodiscard]] iterator end() const noexcept { return iterator(*this, size_); }
  [[nodiscard]] iterator cbegin() const noexcept { return begin(); }
  [[nodiscard]] iterator cend() const noexcept { return end(); }
  [[nodiscard]] reverse_iterator rbegin() const noexcept { return reverse_iterator(end()); }
  [[nodiscard]] reverse_iterator rend() const noexcept { return reverse_iterator(begin()); }

 protected:
  using slot = typename nodes::slot;
  static constexpr std::size_t leaf_width = nodes::leaf_width;

  vector_table() noexcept = default;
  vector_table(const vector_table&) noexcept = default;
  vector_table(vector_table&& o) noexcept
      : full_(std::move(o.full_)), tail_(std::move(o.tail_)), size_(std::exchange(o.size_, 0)) {}
  vector_table& operator=(const vector_table&) noexcept = default;
  vector_table& operator=(vector_table&& o) noexcept {
    full_ = std::move(o.full_);
    tail_ = std::move(o.tail_);
    size_ = std::exchange(o.size_, 0);
    return *this;
  }
  ~vector_table() = default;

  [[nodiscard]] bool has_nodes_of(const vector_table& o) const noexcept {
    return size_ == o.size_ && tail_ == o.tail_ && full_.is_same(o.full_);
  }

  // -- changes; when one throws, the table has the same entries as before

  void put_back(T&& entry) {
    slot fresh = slot::make(std::move(entry));
    try {
      make_room();
    } catch (...) {
      fresh.let_go();
      throw;
    }
    const std::size_t at = size_ % leaf_width;
    ::new (static_cast<void*>(tail_.leaf()->items() + at)) slot(std::move(fresh));
    tail_.get()->end = static_cast<unsigned char>(at + 1);
    ++size_;
  }
  // REQUIRES: not empty.
  void take_back() {
    const std::size_t left = (size_ - 1) % leaf_width;  // in the tail
    if (left == 0) {
      tail_ = link(full_.empty() ? nullptr : full_.take_last().leaf);
    } else if (tail_.get()->is_sole()) {
      if constexpr (!ends_by_itself<T>) nodes::end_slot(tail_.leaf()->items()[left]);
      tail_.get()->end = static_cast<unsigned char>(left);
    } else if constexpr (!ends_by_itself<T>) {
      tail_ = link(nodes::part_of(tail_.leaf(), 0, left, 0, 0));
    }
    --size_;
  }
  // Returns false, and changes nothing, if an equal entry is there.
  bool put_at(size_type place, T&& entry) {
    refuse_beyond(place, "tact::vector: set() was called with a place that it does not have");
    if (is_same_value((*this)[place], entry)) return false;
    slot fresh = slot::make(std::move(entry));
    leaf_node* l = nullptr;
    try {
      l = own_leaf(place);
    } catch (...) {
      fresh.let_go();
      throw;
    }
    slot* const there = l->items() + place % leaf_width;
    nodes::end_slot(*there);
    ::new (static_cast<void*>(there)) slot(std::move(fresh));
    return true;
  }

  // -- comparisons

  // Calls f(place, before, after) with pointers to slots for each place at which the tables have different entries,
  // in their order, until f returns false; null: there is none. Nodes that both have are not looked into.
  template <class F>
  static void for_each_difference(const vector_table& a, const vector_table& b, F f) {
    std::size_t at = std::min(a.size_of_full(), b.size_of_full());
    if (!a.compare_full(b, at, f)) return;
    const std::size_t both = std::min(a.size_, b.size_);
    while (at < both) {
      const std::size_t count = std::min(leaf_width, both - at);
      if (!compare_leaves(a.leaf_for(at), b.leaf_for(at), at, count, f)) return;
      at += count;
    }
    constexpr const slot* none = nullptr;
    const vector_table& longer = a.size_ < b.size_ ? b : a;
    for (; at < longer.size_; ++at) {
      const slot* const one = longer.slot_at(at);
      if (!(a.size_ < b.size_ ? f(at, none, one) : f(at, one, none))) return;
    }
  }

 private:
  template <class>
  friend class place_iterator;

  [[nodiscard]] std::size_t size_of_full() const noexcept {
    return size_ == 0 ? 0 : (size_ - 1) / leaf_width * leaf_width;
  }
  [[nodiscard]] const leaf_node* leaf_for(size_type place) const noexcept {
    const std::size_t number = place / leaf_width;
    return number == (size_ - 1) / leaf_width ? tail_.leaf() : full_.leaf_at(number);
  }
  // Null if it is the end.
  [[nodiscard]] const slot* slot_at(size_type place) const noexcept {
    return place < size_ ? leaf_for(place)->items() + place % leaf_width : nullptr;
  }
  void refuse_beyond(size_type place, const char* why) const {
    if (place >= size_) throw std::out_of_range(why);
  }
  [[nodiscard]] leaf_node* own_leaf(size_type place) {
    const std::size_t number = place / leaf_width;
    if (number != (size_ - 1) / leaf_width) return nodes::leaf(full_.own_leaf(number));
    if (!tail_.get()->is_sole()) tail_ = link(nodes::part_of(tail_.leaf(), 0, (size_ - 1) % leaf_width + 1, 0, 0));
    return tail_.leaf();
  }
  // For one entry more, in a tail that no other table has.
  void make_room() {
    const std::size_t at = size_ % leaf_width;
    if (at == 0) return begin_tail();
    if (!tail_.get()->is_sole()) {
      tail_ = link(nodes::part_of(tail_.leaf(), 0, at, 0, 1));
    } else if (at == tail_.get()->room) {
      leaf_node* const wider = nodes::new_leaf(std::min(at * 2, leaf_width));
      nodes::move_slots(wider->items(), tail_.leaf()->items(), at);
      wider->end = std::exchange(tail_.get()->end, static_cast<unsigned char>(0));
      tail_ = link(wider);
    }
  }
  // The tail is full, or there is none.
  void begin_tail() {
    const bool goes_on = tail_ && tail_.get()->is_sole();
    link next(nodes::new_leaf(goes_on ? leaf_width : 1));
    if (tail_) {
      full_.push(size_ / leaf_width - 1, tail_.leaf());
      (void)tail_.release();
    }
    tail_ = std::move(next);
  }

  // The entries before `end`, which are in full leaves in both.
  template <class F>
  [[nodiscard]] bool compare_full(const vector_table& o, std::size_t end, F& f) const {
    if (end == 0) return true;
    const node* a = full_.root();
    const node* b = o.full_.root();
    while (a->height > b->height) a = nodes::inner(a)->children[0];
    while (b->height > a->height) b = nodes::inner(b)->children[0];
    return compare_nodes(a, b, 0, end, f);
  }
  template <class F>
  [[nodiscard]] static bool compare_nodes(const node* a, const node* b, std::size_t at, std::size_t end, F& f) {
    if (a == b || at >= end) return true;
    if (a->height == 0) return compare_leaves(nodes::leaf(a), nodes::leaf(b), at, leaf_width, f);
    const std::size_t each = leaf_width << (nodes::bits * (a->height - 1u));
    for (unsigned i = 0; i != a->end && i != b->end; ++i) {
      if (!compare_nodes(nodes::inner(a)->children[i], nodes::inner(b)->children[i], at + i * each, end, f))
        return false;
    }
    return true;
  }
  template <class F>
  [[nodiscard]] static bool compare_leaves(const leaf_node* a, const leaf_node* b, std::size_t at, std::size_t count,
                                           F& f) {
    if (a == b) return true;
    for (std::size_t i = 0; i != count; ++i) {
      const slot& x = a->items()[i];
      const slot& y = b->items()[i];
      if (!x.is_same(y) && !is_same_value(x.get(), y.get()) && !f(at + i, std::addressof(x), std::addressof(y)))
        return false;
    }
    return true;
  }

 protected:
  trie full_{};
  link tail_{};  // null: empty
  std::size_t size_ = 0;
};

}  // namespace tact::detail

#include "tact/detail/end.hpp"  // last
