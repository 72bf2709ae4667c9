// The nodes of an ordered_tree: what lies in them, and how they are made, copied and ended.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

#include "tact/data/detail/shared_node.hpp"
#include "tact/detail/core.hpp"

namespace tact::detail {

// Thread safety: that of an int; different trees may share nodes.
template <class Rules>
struct tree_nodes {
  using entry = typename Rules::entry;
  using key = typename Rules::key;
  using slot = entry_slot<entry>;

  // Keys that lie in nodes are compared where they lie. Else a separator points at the key of an entry below.
  using separator = std::conditional_t<lies_in_node<entry>, key, const key*>;

  struct alignas(8) node : shared_node {
    node(std::size_t r, unsigned h) noexcept
        : room(static_cast<unsigned char>(r)), height(static_cast<unsigned char>(h)) {}
    std::uint16_t count = 0;  // of entries, or of children
    const unsigned char room;
    const unsigned char height;  // above the leaves
  };
  struct leaf_node : node {
    explicit leaf_node(std::size_t r) noexcept : node(r, 0) {}
    [[nodiscard]] slot* items() noexcept { return reinterpret_cast<slot*>(this + 1); }
    [[nodiscard]] const slot* items() const noexcept { return reinterpret_cast<const slot*>(this + 1); }
  };
  struct inner_node : node {
    inner_node(std::size_t r, unsigned h) noexcept : node(r, h) {}
    std::size_t below = 0;  // so many entries
    [[nodiscard]] node** children() noexcept { return reinterpret_cast<node**>(this + 1); }
    [[nodiscard]] node* const* children() const noexcept { return reinterpret_cast<node* const*>(this + 1); }
    // Child i + 1 has the keys that are not less than separator i; if this is a pointer, it points at the first of
    // them. So no separator has a link of its own: what is below has one as long as this node has the child.
    [[nodiscard]] separator* seps() noexcept {
      return static_cast<separator*>(static_cast<void*>(children() + this->room));
    }
    [[nodiscard]] const separator* seps() const noexcept {
      return reinterpret_cast<const separator*>(children() + this->room);
    }
  };
  [[nodiscard]] static const leaf_node* leaf(const node* n) noexcept { return static_cast<const leaf_node*>(n); }
  [[nodiscard]] static const inner_node* inner(const node* n) noexcept { return static_cast<const inner_node*>(n); }

  static constexpr std::size_t block_bytes = bytes_of_block(block_classes - 1);
  // A copy of a leaf raises the count of each entry that does not lie in it, so it has few of these.
  static constexpr std::size_t leaf_most =
      lies_in_node<entry> ? std::clamp<std::size_t>((block_bytes - sizeof(leaf_node)) / sizeof(slot), 4, 64) : 23;
  static constexpr std::size_t inner_most =
      std::max<std::size_t>((block_bytes - sizeof(inner_node)) / (sizeof(node*) + sizeof(separator)), 4);

  static leaf_node* leaf(node* n) noexcept { return static_cast<leaf_node*>(n); }
  static inner_node* inner(node* n) noexcept { return static_cast<inner_node*>(n); }

  [[nodiscard]] static std::size_t entries_of(const node* n) noexcept {
    return n->height == 0 ? n->count : inner(n)->below;
  }
  // A way down passes so many nodes at most. A node that is not the root has three children at least, so no machine has
  // memory for a higher tree.
  static constexpr std::size_t most_levels = 40;

  // Not a condition, since both may be the same number, of which GCC would warn.
  [[nodiscard]] static std::size_t most_in(const node* n) noexcept {
    constexpr std::size_t most[] = {leaf_most, inner_most};
    return most[n->height != 0];
  }
  [[nodiscard]] static bool is_full(const node* n) noexcept { return n->count == most_in(n); }
  [[nodiscard]] static std::size_t low_count(const node* n) noexcept { return most_in(n) / 4; }
  static const key& sep_key(const separator& s) noexcept {
    if constexpr (lies_in_node<entry>) {
      return s;
    } else {
      return *s;
    }
  }
  static separator separator_of(const slot& s) noexcept {
    if constexpr (lies_in_node<entry>) {
      return Rules::key_of(s.get());
    } else {
      return std::addressof(Rules::key_of(s.get()));
    }
  }

  // -- nodes

  static constexpr std::size_t leaf_bytes(std::size_t room) noexcept { return sizeof(leaf_node) + room * sizeof(slot); }
  static constexpr std::size_t inner_bytes(std::size_t room) noexcept {
    return sizeof(inner_node) + room * (sizeof(node*) + sizeof(separator));
  }
  // The block is used as far as it goes.
  static leaf_node* new_leaf(std::size_t entries) {
    const std::size_t bytes = bytes_of_block(class_of_block(leaf_bytes(entries)));
    const std::size_t room =
        leaf_bytes(entries) > block_bytes ? leaf_most : std::min(leaf_most, (bytes - sizeof(leaf_node)) / sizeof(slot));
    return ::new (allocate_block(leaf_bytes(room))) leaf_node(room);
  }
  static inner_node* new_inner(unsigned height) {
    return ::new (allocate_block(inner_bytes(inner_most))) inner_node(inner_most, height);
  }
  static void free_node(node* n) noexcept {
    free_block(n, n->height == 0 ? leaf_bytes(n->room) : inner_bytes(n->room));
  }
  static void let_go(node* n) noexcept {
    if (!n->let_go()) return;
    if (n->height == 0) {
      for (unsigned i = 0; i != n->count; ++i) leaf(n)->items()[i].let_go();
    } else {
      for (unsigned i = 0; i != n->count; ++i) let_go(inner(n)->children()[i]);
    }
    free_node(n);
  }
  struct holder {
    node* n;
    holder(node* of) noexcept : n(of) {}
    holder(const holder&) = delete;
    holder& operator=(const holder&) = delete;
    ~holder() {
      if (n != nullptr) let_go(n);
    }
    node* release() noexcept { return std::exchange(n, nullptr); }
  };

  template <class T>
  static void insert_at(T* all, unsigned count, unsigned at, const T& fresh) noexcept {
    for (unsigned i = count; i != at; --i) ::new (static_cast<void*>(all + i)) T(all[i - 1]);
    ::new (static_cast<void*>(all + at)) T(fresh);
  }
  template <class T>
  static void erase_at(T* all, unsigned count, unsigned at) noexcept {
    for (unsigned i = at; i + 1 < count; ++i) ::new (static_cast<void*>(all + i)) T(all[i + 1]);
  }
  static void replace(slot& there, slot by) noexcept {
    const slot old = there;
    ::new (static_cast<void*>(std::addressof(there))) slot(by);
    old.let_go();
  }

  // Copies what lies in `from`, without counting.
  static void take_slots(leaf_node* to, const slot* from, unsigned count) noexcept {
    std::uninitialized_copy_n(from, count, to->items() + to->count);
    to->count = static_cast<std::uint16_t>(to->count + count);
  }
  static void make_sole(node*& n) {
    if (n->is_sole()) return;
    n->height == 0 ? copy_leaf(n) : copy_inner(n);
  }
  static void copy_leaf(node*& n) {
    leaf_node* const old = leaf(n);
    leaf_node* const l = new_leaf(std::min<std::size_t>(old->count + 1u, leaf_most));
    for (unsigned i = 0; i != old->count; ++i) old->items()[i].share();
    take_slots(l, old->items(), old->count);
    let_go(std::exchange(n, l));
  }
  static void copy_inner(node*& n) {
    inner_node* const old = inner(n);
    inner_node* const c = new_inner(old->height);
    // Their counts are in as many places of the memory.
    for (unsigned i = 0; i != old->count; ++i) __builtin_prefetch(old->children()[i], 1);
    for (unsigned i = 0; i != old->count; ++i) (c->children()[i] = old->children()[i])->share();
    std::uninitialized_copy_n(old->seps(), old->count - 1u, c->seps());
    c->count = old->count;
    c->below = old->below;
    let_go(std::exchange(n, c));
  }
  // In the place of a sole node, one with more room.
  static leaf_node* resized(node*& n) {
    leaf_node* const l = new_leaf(n->count + 1u);
    take_slots(l, leaf(n)->items(), n->count);
    free_node(std::exchange(n, l));
    return l;
  }
};

}  // namespace tact::detail

#include "tact/detail/end.hpp"  // last
