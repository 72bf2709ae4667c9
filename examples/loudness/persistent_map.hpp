// An immutable sorted map: what changes it gives a new map in O(log n) that shares all but one path with the old one.
// What a behaviour can become at little cost, and a collided run can throw away.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>

namespace loudness {

// A treap. The hash of the key is the priority: the shape does not depend on the order of insertion.
template <class Key, class Value, class Hash = std::hash<Key>>
class persistent_map {
 public:
  persistent_map() = default;

  [[nodiscard]] bool empty() const noexcept { return root_ == nullptr; }
  [[nodiscard]] std::size_t size() const noexcept { return size_of(root_); }

  // Of the longest path: what an insertion copies at most.
  [[nodiscard]] std::size_t depth() const noexcept { return depth_of(root_); }

  // The value replaces that of an equal key.
  [[nodiscard]] persistent_map with(Key key, Value value) const {
    const std::size_t priority = scatter(Hash{}(key));
    const auto added = std::make_shared<const entry>(entry{std::move(key), std::move(value), priority});
    return persistent_map(insert(root_, added));
  }

  // The same map, if it has no such key.
  [[nodiscard]] persistent_map without(const Key& key) const { return persistent_map(erase(root_, key)); }

  // Null: it has no such key.
  [[nodiscard]] const Value* find(const Key& key) const noexcept {
    const node* at = root_.get();
    while (at != nullptr && (key < at->held->key || at->held->key < key)) at = after(*at, key);
    return at == nullptr ? nullptr : &at->held->value;
  }

  // How many keys come before it: its place, if the map has it.
  [[nodiscard]] std::size_t rank(const Key& key) const noexcept {
    std::size_t before = 0;
    for (const node* at = root_.get(); at != nullptr; at = after(*at, key)) {
      if (at->held->key < key) before += 1 + size_of(at->left);
    }
    return before;
  }

  // The key at a place. REQUIRES: place < size()
  [[nodiscard]] const Key& at(std::size_t place) const noexcept {
    const node* at = root_.get();
    for (;;) {
      const std::size_t before = size_of(at->left);
      if (place == before) return at->held->key;
      at = place < before ? at->left.get() : at->right.get();
      if (place > before) place -= before + 1;
    }
  }

  // REQUIRES: !empty()
  [[nodiscard]] const Key& first() const noexcept {
    const node* at = root_.get();
    while (at->left != nullptr) at = at->left.get();
    return at->held->key;
  }

  // REQUIRES: !empty()
  [[nodiscard]] persistent_map without_first() const { return persistent_map(erase_first(root_)); }

  // Calls visit(key, value) in the order of the keys.
  template <class Visitor>
  void for_each(Visitor visit) const {
    walk(root_.get(), visit);
  }

 private:
  struct node;
  using link = std::shared_ptr<const node>;
  struct entry {
    Key key;
    Value value;
    std::size_t priority;
  };
  using shared_entry = std::shared_ptr<const entry>;
  struct node {
    shared_entry held;  // apart from the links: the nodes of a path are copied, keys and values never
    std::size_t size;
    link left;
    link right;
  };

  explicit persistent_map(link root) noexcept : root_(std::move(root)) {}

  static std::size_t size_of(const link& at) noexcept { return at == nullptr ? 0 : at->size; }

  static std::size_t depth_of(const link& at) noexcept {
    return at == nullptr ? 0 : 1 + std::max(depth_of(at->left), depth_of(at->right));
  }

  // std::hash of an integer is the integer itself, which would make a list of the tree.
  static std::size_t scatter(std::size_t hash) noexcept {
    std::uint64_t mixed = hash + 0x9e3779b97f4a7c15u;
    mixed = (mixed ^ (mixed >> 32)) * 0xd6e8feb86659fd93u;
    mixed = (mixed ^ (mixed >> 32)) * 0xd6e8feb86659fd93u;
    return static_cast<std::size_t>(mixed ^ (mixed >> 32));
  }

  static link make(const shared_entry& held, link left, link right) {
    const std::size_t size = 1 + size_of(left) + size_of(right);
    return std::make_shared<const node>(node{held, size, std::move(left), std::move(right)});
  }

  // Rotations keep the highest priority at the top.
  static link insert(const link& at, const shared_entry& added) {
    if (at == nullptr) return make(added, {}, {});
    const entry& here = *at->held;
    if (added->key < here.key) {
      const link grown = insert(at->left, added);
      if (grown->held->priority <= here.priority) return make(at->held, grown, at->right);
      return make(grown->held, grown->left, make(at->held, grown->right, at->right));
    }
    if (here.key < added->key) {
      const link grown = insert(at->right, added);
      if (grown->held->priority <= here.priority) return make(at->held, at->left, grown);
      return make(grown->held, make(at->held, at->left, grown->left), grown->right);
    }
    return make(added, at->left, at->right);
  }

  // Where the search for a key goes on below a node.
  static const node* after(const node& at, const Key& key) noexcept {
    return at.held->key < key ? at.right.get() : at.left.get();
  }

  static link erase(const link& at, const Key& key) {
    if (at == nullptr) return at;
    if (key < at->held->key) return make(at->held, erase(at->left, key), at->right);
    if (at->held->key < key) return make(at->held, at->left, erase(at->right, key));
    return join(at->left, at->right);
  }

  // All keys of the left one come before those of the right one.
  static link join(const link& left, const link& right) {
    if (left == nullptr) return right;
    if (right == nullptr) return left;
    if (left->held->priority < right->held->priority) return make(right->held, join(left, right->left), right->right);
    return make(left->held, left->left, join(left->right, right));
  }

  static link erase_first(const link& at) {
    if (at->left == nullptr) return at->right;
    return make(at->held, erase_first(at->left), at->right);
  }

  template <class Visitor>
  static void walk(const node* at, Visitor& visit) {
    if (at == nullptr) return;
    walk(at->left.get(), visit);
    visit(at->held->key, at->held->value);
    walk(at->right.get(), visit);
  }

  link root_;
};

}  // namespace loudness
