// leaf_trie: full leaves by their numbers, in a trie of wide nodes; a change makes new nodes on the way to its leaf,
// and shares all others with the trie as it was.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <cstddef>
#include <utility>

#include "tact/data/detail/radix_nodes.hpp"

namespace tact::detail {

// The numbers of the leaves follow each other, and need not begin with 0. When a call throws, which is for want of
// memory only, the trie has the same leaves as before. Thread safety: that of an int; different tries may share nodes.
template <class T, std::size_t Most>
class leaf_trie : private radix_nodes<T, Most> {
 public:
  using nodes = radix_nodes<T, Most>;
  using nodes::bits;
  using nodes::inner;
  using nodes::leaf;
  using nodes::width;
  using typename nodes::inner_node;
  using typename nodes::leaf_node;
  using typename nodes::link;
  using typename nodes::node;

  [[nodiscard]] bool empty() const noexcept { return !root_; }
  [[nodiscard]] const node* root() const noexcept { return root_.get(); }
  [[nodiscard]] bool is_same(const leaf_trie& o) const noexcept { return root_ == o.root_; }
  void clear() noexcept { root_ = {}; }

  // REQUIRES: there is a leaf of that number.
  [[nodiscard]] const leaf_node* leaf_at(std::size_t number) const noexcept {
    const node* n = root_.get();
    for (unsigned h = n->height; h != 0; --h) n = inner(n)->children[child_for(number, h)];
    return leaf(n);
  }
  // The link to that leaf, which no other trie has from now on. REQUIRES: there is a leaf of that number.
  [[nodiscard]] node*& own_leaf(std::size_t number) {
    node** at = std::addressof(root_.get());
    for (;;) {
      make_sole(*at);
      if ((*at)->height == 0) return *at;
      at = inner(*at)->children + child_for(number, (*at)->height);
    }
  }
  // Takes over the link, unless it throws. REQUIRES: `number` is the next one, and 0 if the trie is empty.
  void push(std::size_t number, leaf_node* l) {
    if (!root_) {
      root_ = link(l);
      return;
    }
    if (number >> (bits * root_.get()->height) != 0) return push_above(l);
    node** at = std::addressof(root_.get());
    for (;;) {
      make_sole(*at);
      inner_node* const n = inner(*at);
      const std::size_t i = child_for(number, n->height);
      if (i == n->end) {
        n->children[i] = branch_of(n->height - 1u, l);
        ++n->end;
        return;
      }
      at = n->children + i;
    }
  }
  // The first leaf, or the last. REQUIRES: not empty. The numbers of the other leaves are less afterwards, by
  // `less` and by the same number each.
  struct taken {
    leaf_node* leaf;
    std::size_t less;
  };
  [[nodiscard]] taken take_first() { return take(true); }
  [[nodiscard]] taken take_last() { return take(false); }

 private:
  using nodes::free_node;
  using nodes::make_sole;
  using nodes::new_inner;
  // As many as a trie of all numbers is high.
  static constexpr unsigned height_most = (sizeof(std::size_t) * 8 + bits - 1) / bits;

  [[nodiscard]] static std::size_t child_for(std::size_t number, unsigned height) noexcept {
    return number >> (bits * (height - 1)) & (width - 1);
  }
  // A node of that height above the leaf, which stays the caller's if this throws.
  [[nodiscard]] static node* branch_of(unsigned height, leaf_node* l) {
    if (height == 0) return l;
    link top(new_inner(height));
    inner_node* lowest = inner(top.get());
    while (lowest->height != 1) {
      inner_node* const below = new_inner(lowest->height - 1u);
      lowest->children[0] = below;
      lowest->end = 1;
      lowest = below;
    }
    lowest->children[0] = l;
    lowest->end = 1;
    return top.release();
  }
  // All numbers that the root reaches are taken.
  void push_above(leaf_node* l) {
    link top(new_inner(root_.get()->height + 1u));
    inner_node* const n = inner(top.get());
    n->children[1] = branch_of(root_.get()->height, l);
    n->children[0] = root_.release();
    n->end = 2;
    root_ = std::move(top);
  }
  taken take(bool is_first) {
    inner_node* way[height_most];
    unsigned depth = 0;
    node** at = std::addressof(root_.get());
    while ((*at)->height != 0) {
      make_sole(*at);
      inner_node* const n = way[depth++] = inner(*at);
      at = n->children + (is_first ? n->first : n->end - 1);
    }
    leaf_node* const l = leaf(*at);
    if (depth == 0) return {leaf(root_.release()), 0};
    for (;;) {
      inner_node* const n = way[--depth];
      is_first ? ++n->first : --n->end;
      if (n->first != n->end) break;
      free_node(n);  // it has a neighbour, so it is not the root
    }
    return {l, lower()};
  }
  // Nodes with one child are not needed above the others. REQUIRES: the root is sole.
  std::size_t lower() noexcept {
    std::size_t less = 0;
    while (root_.get()->height != 0 && root_.get()->end - root_.get()->first == 1) {
      node* const above = root_.release();
      less += std::size_t{above->first} << (bits * (above->height - 1));
      root_ = link(inner(above)->children[above->first]);
      if (above->is_sole()) {
        free_node(above);
      } else {
        root_.get()->share();
        nodes::let_go(above);
      }
    }
    return less;
  }

  link root_{};
};

}  // namespace tact::detail

#include "tact/detail/end.hpp"  // last
