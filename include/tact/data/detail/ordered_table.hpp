// What tact::map, tact::set and their transients have in common.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <iterator>
#include <memory>
#include <utility>

#include "tact/data/detail/ordered_tree.hpp"
#include "tact/data/detail/tree_difference.hpp"
#include "tact/data/difference.hpp"

namespace tact::detail {

template <class Entry, class Key, class Less, class KeyOf, class Same>
struct ordered_rules {
  using entry = Entry;
  using key = Key;
  [[nodiscard]] static const Key& key_of(const Entry& e) noexcept { return KeyOf()(e); }
  template <class A, class B>
  [[nodiscard]] static bool less(const A& a, const B& b) {
    return Less()(a, b);
  }
  // Two entries whose keys are equal.
  [[nodiscard]] static bool same(const Entry& a, const Entry& b) { return Same()(a, b); }
};

template <class Rules>
class tree_iterator {
  using tree = ordered_tree<Rules>;

 public:
  using iterator_category = std::bidirectional_iterator_tag;
  using value_type = typename Rules::entry;
  using difference_type = std::ptrdiff_t;
  using reference = const value_type&;
  using pointer = const value_type*;

  tree_iterator() = default;
  // For the tables.
  tree_iterator(const typename tree::node* root, typename tree::place at) noexcept : root_(root), at_(at) {}

  reference operator*() const noexcept { return at_.get(); }
  pointer operator->() const noexcept { return std::addressof(at_.get()); }
  tree_iterator& operator++() {
    at_ = tree::after(root_, at_);
    return *this;
  }
  tree_iterator operator++(int) {
    tree_iterator old = *this;
    ++*this;
    return old;
  }
  tree_iterator& operator--() {
    at_ = tree::before(root_, at_);
    return *this;
  }
  tree_iterator operator--(int) {
    tree_iterator old = *this;
    --*this;
    return old;
  }
  friend bool operator==(const tree_iterator& a, const tree_iterator& b) noexcept { return a.at_ == b.at_; }

 private:
  template <class>
  friend class ordered_table;

  const typename tree::node* root_ = nullptr;
  typename tree::place at_{};
};

// What can be read. Thread safety: any number of threads at once.
template <class Rules>
class ordered_table {
 public:
  using key_type = typename Rules::key;
  using value_type = typename Rules::entry;
  using size_type = std::size_t;
  using difference_type = std::ptrdiff_t;
  using reference = const value_type&;
  using const_reference = const value_type&;
  using iterator = tree_iterator<Rules>;
  using const_iterator = iterator;
  using reverse_iterator = std::reverse_iterator<iterator>;
  using const_reverse_iterator = reverse_iterator;

  [[nodiscard]] bool empty() const noexcept { return tree_.size() == 0; }
  [[nodiscard]] size_type size() const noexcept { return tree_.size(); }

  // In the order of the keys. An iterator is valid until the table from which it is is changed, moved or destroyed.
  [[nodiscard]] iterator begin() const noexcept { return at_place(tree_.first()); }
  [[nodiscard]] iterator end() const noexcept { return at_place({}); }
  [[nodiscard]] iterator cbegin() const noexcept { return begin(); }
  [[nodiscard]] iterator cend() const noexcept { return end(); }
  [[nodiscard]] reverse_iterator rbegin() const noexcept { return reverse_iterator(end()); }
  [[nodiscard]] reverse_iterator rend() const noexcept { return reverse_iterator(begin()); }

  // The key may be of any type that Less compares with those of the table.
  template <class Q>
  [[nodiscard]] bool contains(const Q& key) const {
    return tree_.find(key) != nullptr;
  }
  template <class Q>
  [[nodiscard]] iterator find(const Q& key) const {
    return at_place(tree_.place_of(key));
  }
  // The first entry whose key is not less than this one.
  template <class Q>
  [[nodiscard]] iterator lower_bound(const Q& key) const {
    return at_place(tree_.lower_bound(key));
  }
  // The first entry whose key is greater than this one.
  template <class Q>
  [[nodiscard]] iterator upper_bound(const Q& key) const {
    return at_place(tree_.upper_bound(key));
  }

  // The places of the entries in the order of the keys, from 0 on. Each takes some log(size) steps; an iterator jumps
  // by m.nth(m.index_of(i) + n). end() if there are not so many entries.
  [[nodiscard]] iterator nth(size_type place) const noexcept {
    return place < size() ? at_place(tree_.nth(place)) : end();
  }
  // Of end(): size(). REQUIRES: `at` is a valid iterator of this table.
  [[nodiscard]] size_type index_of(const_iterator at) const {
    return at.at_.leaf == nullptr ? size() : rank(Rules::key_of(*at));
  }
  // How many keys are less than this one: its place, if the table has it.
  template <class Q>
  [[nodiscard]] size_type rank(const Q& key) const {
    return tree_.rank(key);
  }

 protected:
  using tree = ordered_tree<Rules>;
  using slot = typename tree::slot;

  ordered_table() = default;
  explicit ordered_table(tree t) noexcept : tree_(std::move(t)) {}
  [[nodiscard]] iterator at_place(typename tree::place p) const noexcept { return iterator(tree_.root(), p); }

  // All takes time for what differs, not for what is shared.
  [[nodiscard]] bool has_entries_of(const ordered_table& other) const {
    if (size() != other.size()) return false;
    bool equal = true;
    for_each_difference(tree_, other.tree_, [&](const slot*, const slot*) { return equal = false; });
    return equal;
  }
  template <class F>
  void differ_from(const ordered_table& from, F& f) const {
    for_each_difference(from.tree_, tree_, [&](const slot* before, const slot* after) {
      f(difference<value_type>{before == nullptr ? nullptr : std::addressof(before->get()),
                               after == nullptr ? nullptr : std::addressof(after->get())});
      return true;
    });
  }
  // Of two tables of which one is more than twice as large, most entries of the larger one differ: then each of the
  // smaller one is looked up. Otherwise a walk through both goes past what they share.
  [[nodiscard]] bool is_small_beside(const ordered_table& other) const noexcept { return size() < other.size() / 2; }

  [[nodiscard]] tree united_with(const ordered_table& other) const {
    tree all = size() >= other.size() ? tree_ : other.tree_;
    if (is_small_beside(other)) {
      for_each_slot(tree_, [&](const slot& s) { all.put(s); });
    } else if (other.is_small_beside(*this)) {
      for_each_slot(other.tree_, [&](const slot& s) { all.put_if_new(s); });
    } else {
      const bool begins_here = size() >= other.size();
      for_each_difference(tree_, other.tree_, [&](const slot* here, const slot* there) {
        if (begins_here ? here == nullptr : here != nullptr) all.put(begins_here ? *there : *here);
        return true;
      });
    }
    return all;
  }
  [[nodiscard]] tree common_with(const ordered_table& other) const {
    if (other.is_small_beside(*this)) return found_here(other);
    tree both = tree_;
    for_each_missing_in(other, [&](const slot& s) { both.erase(Rules::key_of(s.get())); });
    return both;
  }
  [[nodiscard]] tree without(const ordered_table& other) const {
    tree left;
    if (other.is_small_beside(*this)) {
      left = tree_;
      for_each_slot(other.tree_, [&](const slot& s) { left.erase(Rules::key_of(s.get())); });
    } else {
      for_each_missing_in(other, [&](const slot& s) { left.put(s); });
    }
    return left;
  }

 private:
  // Calls f with each slot of this table whose key the other one has not.
  template <class F>
  void for_each_missing_in(const ordered_table& other, F f) const {
    if (is_small_beside(other)) {
      for_each_slot(tree_, [&](const slot& s) {
        if (!other.contains(Rules::key_of(s.get()))) f(s);
      });
    } else {
      for_each_difference(tree_, other.tree_, [&](const slot* here, const slot* there) {
        if (there == nullptr) f(*here);
        return true;
      });
    }
  }
  // The entries of this table whose keys the other one has.
  [[nodiscard]] tree found_here(const ordered_table& other) const {
    tree both;
    for_each_slot(other.tree_, [&](const slot& s) {
      const auto p = tree_.place_of(Rules::key_of(s.get()));
      if (p.leaf != nullptr) both.put(p.slot_there());
    });
    return both;
  }

 protected:
  tree tree_;
};

}  // namespace tact::detail

#include "tact/detail/end.hpp"  // last
