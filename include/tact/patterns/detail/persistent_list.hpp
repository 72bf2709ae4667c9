// persistent_list: items in the order of their keys, which never changes; with and without make another one, which
// shares most of it.
#pragma once

#include <cstdint>
#include <utility>

#include "tact/detail/counted.hpp"
#include "tact/patterns/detail/mix.hpp"

namespace tact::detail {

// A treap, whose shape follows from the keys alone. A copy copies a pointer. All calls but for_each take time in the
// logarithm of the size, on average, and so deep are the calls within each other. insert and erase change this list
// itself, and no copy of it: they allocate less, because what no copy shares is changed where it is. A Key is compared
// by <=>, and has an overload of `mix`. Thread safety: as a shared pointer.
template <class T, class Key = std::uint64_t>
class persistent_list {
  struct link;
  using node = counted<link>;

 public:
  struct entry {
    Key key;
    T item;
  };

  [[nodiscard]] bool empty() const noexcept { return !root_; }
  // The entry with the lowest key. REQUIRES: not empty.
  [[nodiscard]] const entry& first() const noexcept {
    const node* n = &root_;
    while ((*n)->left) n = &(*n)->left;
    return (*n)->here;
  }
  // Null when there is none.
  [[nodiscard]] const T* find(const Key& key) const noexcept {
    const node* n = &root_;
    while (*n && (*n)->here.key != key) n = key < (*n)->here.key ? &(*n)->left : &(*n)->right;
    return *n ? &(*n)->here.item : nullptr;
  }
  // The entry with the lowest key that is not less than this one; null when there is none.
  [[nodiscard]] const entry* at_or_after(const Key& key) const noexcept {
    const entry* found = nullptr;
    for (const node* n = &root_; *n;) {
      const bool is_less = (*n)->here.key < key;
      if (!is_less) found = &(*n)->here;
      n = is_less ? &(*n)->right : &(*n)->left;
    }
    return found;
  }
  // The entry with the highest key that is not above this one; null when there is none.
  [[nodiscard]] const entry* at_or_before(const Key& key) const noexcept {
    const entry* found = nullptr;
    for (const node* n = &root_; *n;) {
      const bool is_above_it = key < (*n)->here.key;
      if (!is_above_it) found = &(*n)->here;
      n = is_above_it ? &(*n)->left : &(*n)->right;
    }
    return found;
  }
  // With this item, in the place of one that has the key.
  [[nodiscard]] persistent_list with(Key key, T item) const {
    persistent_list other = *this;
    other.insert(std::move(key), std::move(item));
    return other;
  }
  // Without the item of this key, if there is one.
  [[nodiscard]] persistent_list without(const Key& key) const {
    persistent_list other = *this;
    other.erase(key);
    return other;
  }
  void insert(Key key, T item) { put(root_, entry{std::move(key), std::move(item)}, true); }
  void erase(const Key& key) {
    if (find(key) != nullptr) drop(root_, key, true);
  }
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
  static bool is_above(const Key& a, const Key& b) noexcept { return mix(a) > mix(b); }
  // Replaces a node by a copy, unless this list alone has it. Returns whether it alone has what is below the node.
  // `is_own`: it alone has what leads to the node.
  static bool own(node& n, bool is_own) {
    if (is_own && n.is_sole()) return true;
    n = node::make(*n);
    return false;
  }
  static void put(node& n, entry e, bool is_own) {
    if (!n) {
      n = node::make(std::move(e), node(), node());
    } else if (n->here.key != e.key && is_above(e.key, n->here.key)) {
      halves h = split(n, e.key);
      n = node::make(std::move(e), std::move(h.below), std::move(h.above));
    } else {
      is_own = own(n, is_own);
      if (n->here.key == e.key) {
        n->here = std::move(e);
      } else {
        node& next = e.key < n->here.key ? n->left : n->right;
        put(next, std::move(e), is_own);
      }
    }
  }
  // REQUIRES: the key is not in it.
  static halves split(const node& n, const Key& key) {
    if (!n) return {};
    if (key < n->here.key) {
      halves h = split(n->left, key);
      return {std::move(h.below), node::make(n->here, std::move(h.above), n->right)};
    }
    halves h = split(n->right, key);
    return {node::make(n->here, n->left, std::move(h.below)), std::move(h.above)};
  }
  // REQUIRES: the key is in it.
  static void drop(node& n, const Key& key, bool is_own) {
    if (n->here.key == key) {
      n = joined(n->left, n->right);
      return;
    }
    is_own = own(n, is_own);
    drop(key < n->here.key ? n->left : n->right, key, is_own);
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
