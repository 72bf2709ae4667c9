// How an entry is found in an ordered_tree, and the one before and behind it.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <cstddef>
#include <memory>

#include "tact/data/detail/tree_nodes.hpp"

namespace tact::detail {

// Thread safety: any number of threads at once. Throws what a comparison throws.
template <class Rules>
struct tree_search : tree_nodes<Rules> {
  using nodes = tree_nodes<Rules>;
  using nodes::entries_of;
  using nodes::inner;
  using nodes::leaf;
  using nodes::sep_key;
  using typename nodes::entry;
  using typename nodes::inner_node;
  using typename nodes::key;
  using typename nodes::leaf_node;
  using typename nodes::node;

  struct place {
    const leaf_node* leaf = nullptr;  // null: behind the last entry
    unsigned at = 0;
    friend bool operator==(const place&, const place&) = default;
    [[nodiscard]] const auto& slot_there() const noexcept { return leaf->items()[at]; }
    [[nodiscard]] const entry& get() const noexcept { return slot_there().get(); }
  };
  // REQUIRES: `p` is the place of an entry in the tree with that root.
  [[nodiscard]] static place after(const node* root, place p) {
    if (p.at + 1 != p.leaf->count) return {p.leaf, p.at + 1};
    return first_greater_below(root, Rules::key_of(p.get()));
  }
  // REQUIRES: `p` is a place in the tree with that root, and not the first.
  [[nodiscard]] static place before(const node* root, place p) {
    if (p.leaf == nullptr) return last(root);
    if (p.at != 0) return {p.leaf, p.at - 1};
    return last_before(root, Rules::key_of(p.get()));
  }

  template <class Q>
  [[nodiscard]] static unsigned first_not_less(const leaf_node* l, const Q& k) {
    return partition(l->count, keys_of(l), [&](const key& there) { return Rules::less(there, k); });
  }
  // Whether the entry at the place of the first that is not less has the key itself.
  template <class Q>
  [[nodiscard]] static bool has_at(const leaf_node* l, unsigned at, const Q& k) {
    return at != l->count && !Rules::less(k, Rules::key_of(l->items()[at].get()));
  }
  template <class Q>
  [[nodiscard]] static unsigned first_greater(const leaf_node* l, const Q& k) {
    return partition(l->count, keys_of(l), [&](const key& there) { return !Rules::less(k, there); });
  }
  // The child to which k belongs.
  template <class Q>
  [[nodiscard]] static unsigned child_for(const inner_node* n, const Q& k) {
    return partition(n->count - 1u, keys_of(n), [&](const key& there) { return !Rules::less(k, there); });
  }
  // The first child with a key that is not less.
  template <class Q>
  [[nodiscard]] static unsigned child_not_less(const inner_node* n, const Q& k) {
    return partition(n->count - 1u, keys_of(n), [&](const key& there) { return Rules::less(there, k); });
  }
  [[nodiscard]] static auto keys_of(const leaf_node* l) noexcept {
    return [=](unsigned i) -> const key& { return Rules::key_of(l->items()[i].get()); };
  }
  [[nodiscard]] static auto keys_of(const inner_node* n) noexcept {
    return [=](unsigned i) -> const key& { return sep_key(n->seps()[i]); };
  }
  // Of how many of the first `count` keys it holds; it holds of none behind one of which it does not. Without branches
  // that depend on the keys, if a comparison has none.
  template <class At, class F>
  [[nodiscard]] static unsigned partition(unsigned count, At key_at, F holds) {
    unsigned first = 0;
    if constexpr (lies_in_node<entry>) {
      for (unsigned length = count; length > 1;) {
        const unsigned half = length / 2;
        first += half * static_cast<unsigned>(holds(key_at(first + half - 1)));
        length -= half;
      }
      return count == 0 ? 0 : first + (holds(key_at(first)) ? 1 : 0);
    } else {
      // Each comparison waits for memory; meanwhile both keys are fetched of which one is the next.
      for (unsigned last = count; first != last;) {
        const unsigned middle = first + (last - first) / 2;
        if (last - first > 2) {
          __builtin_prefetch(std::addressof(key_at(first + (middle - first) / 2)));
          __builtin_prefetch(std::addressof(key_at(middle + 1 + (last - middle - 1) / 2)));
        }
        if (holds(key_at(middle))) {
          first = middle + 1;
        } else {
          last = middle;
        }
      }
      return first;
    }
  }
  // The first entry whose key is not less. It may be behind several leaves of keys that are equal to k, if k is of
  // another type: so the way is left of all of them.
  template <class Q>
  [[nodiscard]] static place first_not_less_below(const node* root, const Q& k) {
    return bound(
        root, [&](const inner_node* n) { return child_not_less(n, k); },
        [&](const leaf_node* l) { return first_not_less(l, k); });
  }
  template <class Q>
  [[nodiscard]] static place first_greater_below(const node* root, const Q& k) {
    return bound(
        root, [&](const inner_node* n) { return child_for(n, k); },
        [&](const leaf_node* l) { return first_greater(l, k); });
  }
  template <class C, class F>
  [[nodiscard]] static place bound(const node* root, C child, F in_leaf) {
    if (root == nullptr) return {};
    const node* n = root;
    const node* next = nullptr;  // the nearest child on the right of the way
    while (n->height != 0) {
      const unsigned i = child(inner(n));
      if (i + 1u != n->count) next = inner(n)->children()[i + 1];
      n = inner(n)->children()[i];
    }
    const unsigned at = in_leaf(leaf(n));
    if (at != n->count) return {leaf(n), at};
    if (next == nullptr) return {};
    while (next->height != 0) next = inner(next)->children()[0];
    return {leaf(next), 0};
  }
  // How many entries have a key that is less.
  template <class Q>
  [[nodiscard]] static std::size_t rank_below(const node* root, const Q& k) {
    if (root == nullptr) return 0;
    std::size_t before = 0;
    const node* n = root;
    while (n->height != 0) {
      const unsigned i = child_not_less(inner(n), k);
      before += entries_before(inner(n), i);
      n = inner(n)->children()[i];
    }
    return before + first_not_less(leaf(n), k);
  }
  // REQUIRES: there are more than i entries.
  [[nodiscard]] static place nth_below(const node* root, std::size_t i) noexcept {
    const node* n = root;
    while (n->height != 0) n = child_with(inner(n), i);
    return {leaf(n), static_cast<unsigned>(i)};
  }
  // Below the children before child i. The counts are in as many places of the memory, so those of the shorter side are
  // summed, and asked for all at once.
  [[nodiscard]] static std::size_t entries_before(const inner_node* n, unsigned i) noexcept {
    const bool is_left = i <= n->count / 2u;
    const unsigned first = is_left ? 0 : i;
    const unsigned last = is_left ? i : n->count;
    for (unsigned c = first; c != last; ++c) __builtin_prefetch(n->children()[c]);
    std::size_t sum = 0;
    for (unsigned c = first; c != last; ++c) sum += entries_of(n->children()[c]);
    return is_left ? sum : n->below - sum;
  }
  // The child that has the i-th entry; i becomes the place among those of the child.
  [[nodiscard]] static const node* child_with(const inner_node* n, std::size_t& i) noexcept {
    const std::size_t guess = i * n->count / n->below;  // if all children have as many entries
    if (guess < n->count / 2u) {
      for (std::size_t c = 0; c <= guess; ++c) __builtin_prefetch(n->children()[c]);
      unsigned c = 0;
      for (; i >= entries_of(n->children()[c]); ++c) i -= entries_of(n->children()[c]);
      return n->children()[c];
    }
    for (std::size_t c = guess; c != n->count; ++c) __builtin_prefetch(n->children()[c]);
    std::size_t first = n->below;  // of the child
    for (unsigned c = n->count - 1u;; --c) {
      first -= entries_of(n->children()[c]);
      if (i >= first) {
        i -= first;
        return n->children()[c];
      }
    }
  }
  [[nodiscard]] static place last(const node* root) noexcept {
    const node* n = root;
    while (n->height != 0) n = inner(n)->children()[n->count - 1];
    return {leaf(n), n->count - 1u};
  }
  template <class Q>
  [[nodiscard]] static place last_before(const node* root, const Q& k) {
    const node* n = root;
    const node* previous = nullptr;
    while (n->height != 0) {
      const unsigned i = child_for(inner(n), k);
      if (i != 0) previous = inner(n)->children()[i - 1];
      n = inner(n)->children()[i];
    }
    const unsigned at = first_not_less(leaf(n), k);
    if (at != 0) return {leaf(n), at - 1};
    while (previous->height != 0) previous = inner(previous)->children()[previous->count - 1];
    return {leaf(previous), previous->count - 1u};
  }
};

}  // namespace tact::detail

#include "tact/detail/end.hpp"  // last
