// An immutable sorted map: `with` and `without_first` give a new map in O(log n) that shares all but one path with the
// old one. What a behaviour can become at little cost, and a collided run can throw away.
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
