// persistent_list: numbered items in the order of their numbers, which never changes; with and without make another one,
// which shares most of it.
#pragma once

#include <cstdint>
#include <utility>

#include "tact/detail/counted.hpp"
#include "tact/detail/mix.hpp"

namespace tact::detail {

// A treap, whose shape follows from the numbers alone. A copy copies a pointer. with,
// without and find take time in the logarithm of the size, on average, and so deep are the calls within each other.
// Thread safety: as a shared pointer.
template <class T>
class persistent_list {
  struct link;
  using node = counted<link>;

 public:
  struct entry {
    std::uint64_t key;
    T item;
  };

  [[nodiscard]] bool empty() const noexcept { return !root_; }
  // The entry with the lowest number. REQUIRES: not empty.
  [[nodiscard]] const entry& first() const noexcept {
    const node* n = &root_;
    while ((*n)->left) n = &(*n)->left;
    return (*n)->here;
  }
  // Null when there is none.
  [[nodiscard]] const T* find(std::uint64_t key) const noexcept {
    const node* n = &root_;
    while (*n && (*n)->here.key != key) n = key < (*n)->here.key ? &(*n)->left : &(*n)->right;
    return *n ? &(*n)->here.item : nullptr;
  }
  // With this item, in the place of one that has the key.
  [[nodiscard]] persistent_list with(std::uint64_t key, T item) const {
    return persistent_list(put(root_, entry{key, std::move(item)}));
  }
  // Without the item of this key, if there is one.
  [[nodiscard]] persistent_list without(std::uint64_t key) const { return persistent_list(drop(root_, key)); }
  // Calls f(key, item) for each, in the order of the keys.
  template <class F>
  void for_each(const F& f) const {
    visit(root_, f);
  }

  persistent_list() noexcept = default;

 private:
  struct link {
    entry here;
    node left;
    node right;
  };
  struct halves {
    node below;
    node above;
  };

  explicit persistent_list(node root) noexcept : root_(std::move(root)) {}

  // Of two keys the one that is nearer to the root.
  static bool is_above(std::uint64_t a, std::uint64_t b) noexcept { return mix(a) > mix(b); }
  static node put(const node& n, entry e) {
    if (!n) return node::make(std::move(e), node(), node());
    const std::uint64_t key = e.key;
    if (n->here.key == key) return node::make(std::move(e), n->left, n->right);
    if (is_above(key, n->here.key)) {
      halves h = split(n, key);
      return node::make(std::move(e), std::move(h.below), std::move(h.above));
    }
    if (key < n->here.key) return node::make(n->here, put(n->left, std::move(e)), n->right);
    return node::make(n->here, n->left, put(n->right, std::move(e)));
  }
  // REQUIRES: the key is not in it.
  static halves split(const node& n, std::uint64_t key) {
    if (!n) return {};
    if (key < n->here.key) {
      halves h = split(n->left, key);
      return {std::move(h.below), node::make(n->here, std::move(h.above), n->right)};
    }
    halves h = split(n->right, key);
    return {node::make(n->here, n->left, std::move(h.below)), std::move(h.above)};
  }
  static node drop(const node& n, std::uint64_t key) {
    if (!n) return n;
    if (key < n->here.key) return node::make(n->here, drop(n->left, key), n->right);
    if (n->here.key < key) return node::make(n->here, n->left, drop(n->right, key));
    return joined(n->left, n->right);
  }
  static node joined(const node& below, const node& above) {
    if (!below) return above;
    if (!above) return below;
    if (is_above(below->here.key, above->here.key)) {
      return node::make(below->here, below->left, joined(below->right, above));
    }
    return node::make(above->here, joined(below, above->left), above->right);
  }
  template <class F>
  static void visit(const node& n, const F& f) {
    if (!n) return;
    visit(n->left, f);
    f(n->here.key, n->here.item);
    visit(n->right, f);
  }

  node root_;
};

}  // namespace tact::detail
