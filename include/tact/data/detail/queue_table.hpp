// What a queue and the parts of the library that keep messages waiting have in common: entries that never change, first
// in, first out.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <concepts>
#include <cstddef>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

#include "tact/data/detail/leaf_trie.hpp"
#include "tact/data/detail/place_iterator.hpp"

namespace tact::detail {

// The first entries lie in the head and the last ones in the tail, leaves of their own, so that most changes touch
// nothing else; all between them lie in a trie of full leaves. A queue that fits has a tail only. When the head is
// used up, the next leaf takes its place: whatever version of a queue is changed, a change makes log(size) nodes at
// most, to the base 32.
//
// Places are counted from the beginning of the head, so that of an entry is that in its leaf, and leaf `number` of the
// trie has the places from (number + 1) * leaf_width on.
// Thread safety of what reads: any number of threads at once.
template <class T>
class queue_table {
  static_assert(std::is_same_v<T, std::remove_cvref_t<T>>, "tact::queue: an entry is an object, and not const");

 protected:
  using trie = leaf_trie<T, ends_by_itself<T> ? 32 : 8>;
  using nodes = typename trie::nodes;
  using leaf_node = typename nodes::leaf_node;
  using link = typename nodes::link;

 public:
  using value_type = T;
  using size_type = std::size_t;
  using difference_type = std::ptrdiff_t;
  using reference = const T&;
  using const_reference = const T&;
  using iterator = place_iterator<queue_table>;
  using const_iterator = iterator;
  using reverse_iterator = std::reverse_iterator<iterator>;
  using const_reverse_iterator = reverse_iterator;

  [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
  [[nodiscard]] size_type size() const noexcept { return size_; }
  // REQUIRES of these two: not empty.
  [[nodiscard]] const T& front() const noexcept { return first_leaf().leaf()->items()[first_ % leaf_width].get(); }
  [[nodiscard]] const T& back() const noexcept {
    return tail_.leaf()->items()[(first_ + size_ - 1) % leaf_width].get();
  }

  // From the first entry to the last. An iterator is valid until the queue from which it is is changed, moved or
  // destroyed.
  [[nodiscard]] iterator begin() const noexcept { return iterator(*this, first_); }
  [[nodiscard]] iterator end() const noexcept { return iterator(*this, first_ + size_); }
  [[nodiscard]] iterator cbegin() const noexcept { return begin(); }
  [[nodiscard]] iterator cend() const noexcept { return end(); }
  [[nodiscard]] reverse_iterator rbegin() const noexcept { return reverse_iterator(end()); }
  [[nodiscard]] reverse_iterator rend() const noexcept { return reverse_iterator(begin()); }

 protected:
  using slot = typename nodes::slot;
  static constexpr std::size_t leaf_width = nodes::leaf_width;

  queue_table() noexcept = default;
  queue_table(const queue_table&) noexcept = default;
  queue_table(queue_table&& o) noexcept
      : head_(std::move(o.head_)),
        full_(std::move(o.full_)),
        tail_(std::move(o.tail_)),
        first_(std::exchange(o.first_, 0)),
        size_(std::exchange(o.size_, 0)) {}
  queue_table& operator=(const queue_table&) noexcept = default;
  queue_table& operator=(queue_table&& o) noexcept {
    head_ = std::move(o.head_);
    full_ = std::move(o.full_);
    tail_ = std::move(o.tail_);
    first_ = std::exchange(o.first_, 0);
    size_ = std::exchange(o.size_, 0);
    return *this;
  }
  ~queue_table() = default;

  [[nodiscard]] bool has_nodes_of(const queue_table& o) const noexcept {
    return first_ == o.first_ && size_ == o.size_ && head_ == o.head_ && tail_ == o.tail_ && full_.is_same(o.full_);
  }

  // -- changes; when one throws, the queue has the same entries as before

  void put_back(T&& entry) {
    slot fresh = slot::make(std::move(entry));
    try {
      make_room();
    } catch (...) {
      fresh.let_go();
      throw;
    }
    const std::size_t at = (first_ + size_) % leaf_width;
    ::new (static_cast<void*>(tail_.leaf()->items() + at)) slot(std::move(fresh));
    tail_.get()->end = static_cast<unsigned char>(at + 1);
    ++size_;
  }
  // REQUIRES: not empty.
  void take_front() {
    if (size_ == 1) {
      *this = {};
      return;
    }
    if (head_ && first_ % leaf_width == leaf_width - 1) {
      next_head();
    } else if constexpr (ends_by_itself<T>) {
      ++first_;
    } else {
      end_first();
    }
    --size_;
  }

 private:
  template <class>
  friend class detail::place_iterator;

  [[nodiscard]] const link& first_leaf() const noexcept { return head_ ? head_ : tail_; }
  // Null if it is the end.
  [[nodiscard]] const slot* slot_at(size_type place) const noexcept {
    if (place >= first_ + size_) return nullptr;
    const std::size_t number = place / leaf_width;
    const leaf_node* const l = number == (first_ + size_ - 1) / leaf_width ? tail_.leaf()
                               : number == first_ / leaf_width             ? head_.leaf()
                                                                           : full_.leaf_at(number - 1);
    return l->items() + place % leaf_width;
  }
  // For one entry more, in a tail that no other queue has.
  void make_room() {
    const std::size_t end = first_ + size_;
    const std::size_t at = end % leaf_width;
    if (size_ == 0) {
      tail_ = link(nodes::new_leaf(1));
    } else if (at == 0) {
      begin_tail();
    } else if (const bool is_sole = tail_.get()->is_sole(); !is_sole || at == tail_.get()->room) {
      widen_tail(at, is_sole);
    }
  }
  // The tail is full.
  void begin_tail() {
    link next(nodes::new_leaf(head_ && tail_.get()->is_sole() ? leaf_width : 1));
    if (head_) {
      full_.push((first_ + size_) / leaf_width - 2, tail_.leaf());
      (void)tail_.release();
    } else {
      head_ = std::move(tail_);
    }
    tail_ = std::move(next);
  }
  void widen_tail(std::size_t at, bool is_sole) {
    const std::size_t first = head_ ? 0 : first_;
    const std::size_t count = at - first;
    if (is_sole) {
      const std::size_t wanted = count * 2 < leaf_width ? count * 2 : leaf_width;
      leaf_node* const wider = nodes::new_leaf(wanted);
      nodes::move_slots(wider->items(), tail_.leaf()->items() + first, count);
      wider->end = static_cast<unsigned char>(count);
      tail_.get()->end = tail_.get()->first;
      tail_ = link(wider);
    } else {
      tail_ = link(nodes::part_of(tail_.leaf(), first, at, 0, 1));
    }
    if (!head_) first_ = 0;
  }
  // The head has one entry.
  void next_head() {
    if (full_.empty()) {
      head_ = {};
      first_ = 0;
      return;
    }
    const auto next = full_.take_first();
    head_ = link(next.leaf);
    first_ = full_.empty() ? 0 : first_ + 1 - next.less * leaf_width;
  }
  // The first entry of several in its leaf. What it holds may have to end now.
  void end_first() {
    const std::size_t at = first_ % leaf_width;
    link& in = head_ ? head_ : tail_;
    const bool is_sole = in.get()->is_sole();
    const bool stays_in_place = is_sole || head_;
    if (is_sole) {
      nodes::end_slot(in.leaf()->items()[at]);
      in.get()->first = static_cast<unsigned char>(at + 1);
    } else {
      in = link(nodes::part_of(in.leaf(), at + 1, in.get()->end, stays_in_place ? at + 1 : 0, 0));
    }
    first_ = stays_in_place ? first_ + 1 : 0;
  }

 protected:
  link head_{};  // null: all lies in the tail
  trie full_{};
  link tail_{};            // null: empty
  std::size_t first_ = 0;  // the place of the first entry
  std::size_t size_ = 0;
};

// A queue for the library's own parts, in headers that must not show the name tact::queue to programs.
template <class T>
class waiting_row : public queue_table<T> {
 public:
  waiting_row() noexcept = default;

  [[nodiscard]] waiting_row push_back(T entry) const {
    waiting_row longer = *this;
    longer.put_back(std::move(entry));
    return longer;
  }
  // REQUIRES: not empty.
  [[nodiscard]] waiting_row pop_front() const {
    waiting_row shorter = *this;
    shorter.take_front();
    return shorter;
  }
};

}  // namespace tact::detail

#include "tact/detail/end.hpp"  // last
