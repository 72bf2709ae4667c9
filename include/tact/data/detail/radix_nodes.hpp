// The nodes of a leaf_trie: what lies in them, and how they are made, copied and ended.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <bit>
#include <cstddef>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

#include "tact/data/detail/shared_node.hpp"
#include "tact/detail/core.hpp"

namespace tact::detail {

// An entry whose copy cannot fail, and which is small, lies in its leaf, and is copied with it. Each other entry is
// made once, and is shared by the leaves.
template <class T>
inline constexpr bool lies_in_leaf =
    std::is_nothrow_copy_constructible_v<T> && std::is_nothrow_move_constructible_v<T> &&
    std::is_nothrow_destructible_v<T> && sizeof(T) <= 32 && alignof(T) <= 8;
// An entry of which nothing has to be done at its end: a place that is not used may still have one.
template <class T>
inline constexpr bool ends_by_itself = lies_in_leaf<T> && std::is_trivially_destructible_v<T>;

// A leaf has 2^n places, `Most` at most. Thread safety: that of an int; different tables may share nodes.
template <class T, std::size_t Most>
struct radix_nodes {
  using slot = entry_slot<T, lies_in_leaf<T>>;

  struct alignas(8) node : shared_node {
    node(std::size_t r, unsigned h) noexcept
        : room(static_cast<unsigned char>(r)), height(static_cast<unsigned char>(h)) {}
    // What is in it: from `first` on, and before `end`.
    unsigned char first = 0;
    unsigned char end = 0;
    const unsigned char room;
    const unsigned char height;  // above the leaves
  };
  struct leaf_node : node {
    explicit leaf_node(std::size_t r) noexcept : node(r, 0) {}
    [[nodiscard]] slot* items() noexcept { return reinterpret_cast<slot*>(this + 1); }
    [[nodiscard]] const slot* items() const noexcept { return reinterpret_cast<const slot*>(this + 1); }
  };
  static constexpr unsigned bits = 5;
  static constexpr std::size_t width = std::size_t{1} << bits;  // of an inner node
  struct inner_node : node {
    explicit inner_node(unsigned h) noexcept : node(width, h) {}
    node* children[width];
  };
  static constexpr std::size_t block_bytes = bytes_of_block(block_classes - 1);
  static constexpr std::size_t leaf_width = std::bit_floor((block_bytes - sizeof(leaf_node)) / sizeof(slot)) < Most
                                                ? std::bit_floor((block_bytes - sizeof(leaf_node)) / sizeof(slot))
                                                : Most;
  static_assert(std::has_single_bit(Most) && Most <= 128);

  [[nodiscard]] static leaf_node* leaf(node* n) noexcept { return static_cast<leaf_node*>(n); }
  [[nodiscard]] static const leaf_node* leaf(const node* n) noexcept { return static_cast<const leaf_node*>(n); }
  [[nodiscard]] static inner_node* inner(node* n) noexcept { return static_cast<inner_node*>(n); }
  [[nodiscard]] static const inner_node* inner(const node* n) noexcept { return static_cast<const inner_node*>(n); }

  // -- slots

  static void copy_slots(slot* to, const slot* from, std::size_t count) noexcept {
    for (std::size_t i = 0; i != count; ++i) {
      from[i].share();
      ::new (static_cast<void*>(to + i)) slot(from[i]);
    }
  }
  static void move_slots(slot* to, slot* from, std::size_t count) noexcept {
    for (std::size_t i = 0; i != count; ++i) {
      ::new (static_cast<void*>(to + i)) slot(std::move(from[i]));
      from[i].~slot();
    }
  }
  static void end_slot(slot& s) noexcept {
    s.let_go();
    s.~slot();
  }

  // -- nodes

  static constexpr std::size_t leaf_bytes(std::size_t room) noexcept { return sizeof(leaf_node) + room * sizeof(slot); }
  // The block is used as far as it goes.
  [[nodiscard]] static leaf_node* new_leaf(std::size_t entries) {
    const std::size_t fit = (bytes_of_block(class_of_block(leaf_bytes(entries))) - sizeof(leaf_node)) / sizeof(slot);
    const std::size_t room = fit < leaf_width ? fit : leaf_width;
    return ::new (allocate_block(leaf_bytes(room))) leaf_node(room);
  }
  [[nodiscard]] static inner_node* new_inner(unsigned height) {
    return ::new (allocate_block(sizeof(inner_node))) inner_node(height);
  }
  static void free_node(node* n) noexcept { free_block(n, n->height == 0 ? leaf_bytes(n->room) : sizeof(inner_node)); }
  static void let_go(node* n) noexcept {
    if (!n->let_go()) return;
    if (n->height != 0) {
      for (unsigned i = n->first; i != n->end; ++i) let_go(inner(n)->children[i]);
    } else if constexpr (!ends_by_itself<T>) {
      for (unsigned i = n->first; i != n->end; ++i) end_slot(leaf(n)->items()[i]);
    }
    free_node(n);
  }
  // A link that lets go at its end.
  class link {
   public:
    link() noexcept = default;
    explicit link(node* of) noexcept : node_(of) {}
    link(const link& o) noexcept : node_(o.node_) {
      if (node_ != nullptr) node_->share();
    }
    link(link&& o) noexcept : node_(o.release()) {}
    link& operator=(link o) noexcept {
      std::swap(node_, o.node_);
      return *this;
    }
    ~link() {
      if (node_ != nullptr) radix_nodes::let_go(node_);
    }
    [[nodiscard]] node* get() const noexcept { return node_; }
    [[nodiscard]] node*& get() noexcept { return node_; }
    [[nodiscard]] node* release() noexcept { return std::exchange(node_, nullptr); }
    [[nodiscard]] leaf_node* leaf() const noexcept { return static_cast<leaf_node*>(node_); }
    explicit operator bool() const noexcept { return node_ != nullptr; }
    friend bool operator==(const link& a, const link& b) noexcept { return a.node_ == b.node_; }

   private:
    node* node_ = nullptr;
  };

  // The entries from `first` on and before `end`, from the place `at` on, in a leaf with room for some more.
  [[nodiscard]] static leaf_node* part_of(const leaf_node* from, std::size_t first, std::size_t end, std::size_t at,
                                          std::size_t more) {
    const std::size_t end_of_copy = at + (end - first);
    leaf_node* const l = new_leaf(end_of_copy + more);
    copy_slots(l->items() + at, from->items() + first, end - first);
    l->first = static_cast<unsigned char>(at);
    l->end = static_cast<unsigned char>(end_of_copy);
    return l;
  }
  static void make_sole(node*& n) {
    if (n->is_sole()) return;
    node* const copy = n->height == 0 ? part_of(leaf(n), n->first, n->end, n->first, 0) : copy_of(inner(n));
    let_go(std::exchange(n, copy));
  }
  [[nodiscard]] static node* copy_of(const inner_node* n) {
    inner_node* const c = new_inner(n->height);
    // Their counts are in as many places of the memory.
    for (unsigned i = n->first; i != n->end; ++i) __builtin_prefetch(n->children[i], 1);
    for (unsigned i = n->first; i != n->end; ++i) (c->children[i] = n->children[i])->share();
    c->first = n->first;
    c->end = n->end;
    return c;
  }
};

}  // namespace tact::detail

#include "tact/detail/end.hpp"  // last
