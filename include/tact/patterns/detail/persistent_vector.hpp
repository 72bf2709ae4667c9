// persistent_vector: items by their places, which never changes but where it is owned alone; a copy shares what both
// have.
#pragma once

#include <cstddef>
#include <utility>

#include "tact/detail/counted.hpp"

namespace tact::detail {

// A tree of nodes with sixteen places each, so that up to sixteen items lie in one node. A copy copies a pointer. A
// change copies one node of each level which a copy of the vector shares, and no more; there is one level for each
// power of sixteen. T is default-constructible. Thread safety: as a shared pointer.
template <class T>
class persistent_vector {
 public:
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
  // REQUIRES: i < size().
  [[nodiscard]] const T& operator[](std::size_t i) const noexcept {
    const node* n = &root_;
    for (unsigned level = levels_; level != 0; --level) n = &n->branch->below[place(i, level)];
    return n->leaf->items[place(i, 0)];
  }
  // REQUIRES: i < size().
  void set(std::size_t i, T item) { put(root_, levels_, i, std::move(item), true); }
  void push_back(T item) {
    if (size_ == reach(levels_)) {
      node higher{counted<branch>::make(), {}};
      higher.branch->below[0] = std::move(root_);
      root_ = std::move(higher);
      ++levels_;
    }
    put(root_, levels_, size_, std::move(item), true);
    ++size_;
  }
  // REQUIRES: not empty.
  void pop_back() {
    drop(root_, levels_, size_ - 1, true);
    --size_;
    if (levels_ != 0 && size_ <= reach(levels_ - 1)) {
      root_ = node(root_.branch->below[0]);
      --levels_;
    }
  }
  // Calls f(item) for each, in the order of their places.
  template <class F>
  void for_each(const F& f) const {
    std::size_t left = size_;
    visit(root_, levels_, left, f);
  }

 private:
  static constexpr unsigned bits = 4;
  static constexpr std::size_t width = std::size_t{1} << bits;

  struct branch;
  struct leaf;
  struct node {  // of the two, one that is above the items has a branch
    counted<struct branch> branch{};
    counted<struct leaf> leaf{};
  };
  struct branch {
    node below[width];
  };
  struct leaf {
    T items[width];
  };

  static constexpr std::size_t reach(unsigned level) noexcept { return width << (bits * level); }
  static constexpr std::size_t place(std::size_t i, unsigned level) noexcept {
    return i >> (bits * level) & (width - 1);
  }
  // Sees to it that this vector alone has what `n` points to. Returns whether it alone has what is below that.
  template <class Node>
  static bool own(counted<Node>& n, bool is_own) {
    if (is_own && n.is_sole()) return true;
    n = n ? counted<Node>::make(*n) : counted<Node>::make();
    return false;
  }
  static void put(node& n, unsigned level, std::size_t i, T item, bool is_own) {
    if (level == 0) {
      own(n.leaf, is_own);
      n.leaf->items[place(i, 0)] = std::move(item);
      return;
    }
    is_own = own(n.branch, is_own);
    put(n.branch->below[place(i, level)], level - 1, i, std::move(item), is_own);
  }
  // The item at i, which is the last one, goes; a node that has no items then goes with it.
  static void drop(node& n, unsigned level, std::size_t i, bool is_own) {
    if (i % reach(level) == 0) {
      n = node();
    } else if (level == 0) {
      own(n.leaf, is_own);
      n.leaf->items[place(i, 0)] = T();
    } else {
      is_own = own(n.branch, is_own);
      drop(n.branch->below[place(i, level)], level - 1, i, is_own);
    }
  }
  template <class F>
  static void visit(const node& n, unsigned level, std::size_t& left, const F& f) {
    for (std::size_t at = 0; at != width && left != 0; ++at) {
      if (level != 0) {
        visit(n.branch->below[at], level - 1, left, f);
      } else {
        f(n.leaf->items[at]);
        --left;
      }
    }
  }

  node root_{};
  unsigned levels_ = 0;  // of branches
  std::size_t size_ = 0;
};

}  // namespace tact::detail
