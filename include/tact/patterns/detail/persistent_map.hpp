// persistent_map: a sorted table that never changes; insert and erase make another one, which shares with it what both
// have.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "tact/detail/counted.hpp"
#include "tact/patterns/detail/kept_value.hpp"
#include "tact/patterns/detail/mix.hpp"

namespace tact::detail {

// A treap: sorted by keys, and a heap by priorities, which are the mixed numbers of the insertions. So its shape
// depends on what was done with it, and on nothing else, and its depth is some times the logarithm of its size,
// whatever the keys are. find, with and without take as many steps, and the last two so many new nodes, which share the
// keys. Keys are compared by < only. A copy copies a pointer. Thread safety: as a shared pointer.
template <class K, class V>
class persistent_map {
 public:
  [[nodiscard]] bool empty() const noexcept { return !root_; }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  // Null if there is none; valid as long as this map or a copy of it.
  [[nodiscard]] const V* find(const K& key) const {
    for (const node* n = &root_; *n;) {
      if (key < (*n)->key->value) {
        n = &(*n)->left;
      } else if ((*n)->key->value < key) {
        n = &(*n)->right;
      } else {
        return &(*n)->value;
      }
    }
    return nullptr;
  }
  // REQUIRES: not empty.
  [[nodiscard]] std::pair<const K&, const V&> first() const noexcept {
    const node* n = &root_;
    while ((*n)->left) n = &(*n)->left;
    return {(*n)->key->value, (*n)->value};
  }
  // With `value` for the key, in the place of what there was.
  [[nodiscard]] persistent_map with(const kept<K>& key, V value) const {
    persistent_map m = without(key->value);
    const node fresh = node::make(key, std::move(value), mix(m.insertions_), node(), node());
    const auto [less, more] = split(m.root_, key->value);
    m.root_ = joined(joined(less, fresh), more);
    ++m.insertions_;
    ++m.size_;
    return m;
  }
  [[nodiscard]] persistent_map without(const K& key) const {
    persistent_map m = *this;
    if (find(key) == nullptr) return m;
    m.root_ = erased(root_, key);
    --m.size_;
    return m;
  }
  // Without the entries for whose values f is true, which is called with each of them once, in the order of their keys.
  // Compares no keys.
  template <class F>
  [[nodiscard]] persistent_map without_if(F f) const {
    persistent_map m = *this;
    m.root_ = filtered(root_, f, m.size_);
    return m;
  }

 private:
  struct item;
  using node = counted<item>;
  struct item {
    item(const kept<K>& k, V v, std::uint64_t p, node l, node r)
        : key(k), value(std::move(v)), priority(p), left(std::move(l)), right(std::move(r)) {}
    const kept<K> key;
    const V value;
    const std::uint64_t priority;
    const node left;
    const node right;
  };

  static node between(const node& n, node left, node right) {
    return node::make(n->key, n->value, n->priority, std::move(left), std::move(right));
  }
  // What is less than the key, and what is not.
  static std::pair<node, node> split(const node& n, const K& key) {
    if (!n) return {};
    if (n->key->value < key) {
      auto [less, more] = split(n->right, key);
      return {between(n, n->left, std::move(less)), std::move(more)};
    }
    auto [less, more] = split(n->left, key);
    return {std::move(less), between(n, std::move(more), n->right)};
  }
  // REQUIRES: all keys of `less` are less than those of `more`.
  static node joined(const node& less, const node& more) {
    if (!less) return more;
    if (!more) return less;
    if (less->priority > more->priority) return between(less, less->left, joined(less->right, more));
    return between(more, joined(less, more->left), more->right);
  }
  static node erased(const node& n, const K& key) {
    if (key < n->key->value) return between(n, erased(n->left, key), n->right);
    if (n->key->value < key) return between(n, n->left, erased(n->right, key));
    return joined(n->left, n->right);
  }
  template <class F>
  static node filtered(const node& n, F& f, std::size_t& size) {
    if (!n) return {};
    const node left = filtered(n->left, f, size);
    const bool goes = f(n->value);
    const node right = filtered(n->right, f, size);
    if (!goes) return between(n, left, right);
    --size;
    return joined(left, right);
  }

  node root_{};
  std::size_t size_ = 0;
  std::uint64_t insertions_ = 0;
};

}  // namespace tact::detail
