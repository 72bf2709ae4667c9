// ordered_tree: entries in the order of their keys, in a tree of wide nodes; a change makes new nodes on the way to its
// leaf, and shares all others with the tree as it was.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

#include "tact/data/detail/shared_node.hpp"

namespace tact::detail {

// A B+ tree: the entries lie in leaves, all as deep as each other. Rules has: types `entry` and `key`; static functions
// key_of(entry) and less(key, key). A change with a link that nothing shares changes the nodes in place. When a
// function throws, the tree holds the same entries as before.
// Thread safety: that of an int; different trees may share nodes.
template <class Rules>
class ordered_tree {
 public:
  using entry = typename Rules::entry;
  using key = typename Rules::key;
  using slot = entry_slot<entry>;

 private:
  // Keys that lie in nodes are compared where they lie; else a separator is an entry.
  using separator = std::conditional_t<lies_in_node<entry>, key, slot>;

 public:
  struct alignas(8) node : shared_node {
    node(std::size_t r, unsigned h) noexcept
        : room(static_cast<unsigned char>(r)), height(static_cast<unsigned char>(h)) {}
    std::uint16_t count = 0;  // of entries, or of children
    const unsigned char room;
    const unsigned char height;  // above the leaves
  };
  struct leaf_node : node {
    explicit leaf_node(std::size_t r) noexcept : node(r, 0) {}
    [[nodiscard]] slot* slots() noexcept { return reinterpret_cast<slot*>(this + 1); }
    [[nodiscard]] const slot* slots() const noexcept { return reinterpret_cast<const slot*>(this + 1); }
  };
  struct inner_node : node {
    inner_node(std::size_t r, unsigned h) noexcept : node(r, h) {}
    [[nodiscard]] node** children() noexcept { return reinterpret_cast<node**>(this + 1); }
    [[nodiscard]] node* const* children() const noexcept { return reinterpret_cast<node* const*>(this + 1); }
    // Child i + 1 has the keys that are not less than separator i.
    [[nodiscard]] separator* seps() noexcept { return reinterpret_cast<separator*>(children() + this->room); }
    [[nodiscard]] const separator* seps() const noexcept {
      return reinterpret_cast<const separator*>(children() + this->room);
    }
  };
  [[nodiscard]] static const leaf_node* leaf(const node* n) noexcept { return static_cast<const leaf_node*>(n); }
  [[nodiscard]] static const inner_node* inner(const node* n) noexcept { return static_cast<const inner_node*>(n); }

  ordered_tree() noexcept = default;
  ordered_tree(const ordered_tree& o) noexcept : root_(o.root_), size_(o.size_) {
    if (root_ != nullptr) root_->share();
  }
  ordered_tree(ordered_tree&& o) noexcept : root_(std::exchange(o.root_, nullptr)), size_(std::exchange(o.size_, 0)) {}
  ordered_tree& operator=(ordered_tree o) noexcept {
    std::swap(root_, o.root_);
    std::swap(size_, o.size_);
    return *this;
  }
  ~ordered_tree() {
    if (root_ != nullptr) let_go(root_);
  }

  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  // The same nodes, so certainly the same entries.
  [[nodiscard]] bool is_same(const ordered_tree& o) const noexcept { return root_ == o.root_; }
  [[nodiscard]] const node* root() const noexcept { return root_; }

  // -- places of entries. A place is valid as long as a tree has its nodes.

  struct place {
    const leaf_node* leaf = nullptr;  // null: behind the last entry
    unsigned at = 0;
    friend bool operator==(const place&, const place&) = default;
    [[nodiscard]] const entry& get() const noexcept { return leaf->slots()[at].get(); }
  };
  // Null if there is none.
  template <class Q>
  [[nodiscard]] const entry* find(const Q& k) const {
    const place p = place_of(k);
    return p.leaf == nullptr ? nullptr : std::addressof(p.get());
  }
  // Behind the last entry if there is none.
  template <class Q>
  [[nodiscard]] place place_of(const Q& k) const {
    if (root_ == nullptr) return {};
    const leaf_node* const l = leaf_for(k);
    const unsigned at = first_not_less(l, k);
    return at != l->count && !Rules::less(k, Rules::key_of(l->slots()[at].get())) ? place{l, at} : place{};
  }
  // The first entry whose key is not less.
  template <class Q>
  [[nodiscard]] place lower_bound(const Q& k) const {
    return bound(root_, k, [&](const leaf_node* l) { return first_not_less(l, k); });
  }
  // The first entry whose key is greater.
  template <class Q>
  [[nodiscard]] place upper_bound(const Q& k) const {
    return bound(root_, k, [&](const leaf_node* l) { return first_greater(l, k); });
  }
  [[nodiscard]] place first() const noexcept {
    if (root_ == nullptr) return {};
    const node* n = root_;
    while (n->height != 0) n = inner(n)->children()[0];
    return {leaf(n), 0};
  }
  // REQUIRES: `p` is the place of an entry in the tree with that root.
  [[nodiscard]] static place after(const node* root, place p) {
    if (p.at + 1 != p.leaf->count) return {p.leaf, p.at + 1};
    const key& k = Rules::key_of(p.get());
    return bound(root, k, [&](const leaf_node* l) { return first_greater(l, k); });
  }
  // REQUIRES: `p` is a place in the tree with that root, and not the first.
  [[nodiscard]] static place before(const node* root, place p) {
    if (p.leaf == nullptr) return last(root);
    if (p.at != 0) return {p.leaf, p.at - 1};
    return last_before(root, Rules::key_of(p.get()));
  }

  // -- changes

  // Puts the slot that `make` returns, which has the key k. If there is an entry with an equal key: in its place, if
  // yields(entry); else nothing changes. Returns whether there was none.
  template <class Q, class Yields, class Make>
  bool put(const Q& k, Yields yields, Make make) {
    if (root_ == nullptr) {
      leaf_node* const l = new_leaf(1);
      holder kept{l};
      ::new (static_cast<void*>(l->slots())) slot(make());
      l->count = 1;
      root_ = kept.release();
      size_ = 1;
      return true;
    }
    if (!root_->is_sole()) {
      const entry* const there = find(k);
      if (there != nullptr && !yields(*there)) return false;
    }
    if (is_full(root_)) grow();
    node** at = &root_;
    for (;;) {
      make_sole(*at);
      if ((*at)->height == 0) break;
      inner_node* const n = inner(*at);
      unsigned i = child_for(n, k);
      if (is_full(n->children()[i])) {
        split(n, i, k);
        if (!Rules::less(k, sep_key(n->seps()[i]))) ++i;
      }
      at = n->children() + i;
    }
    leaf_node* l = leaf(*at);
    const unsigned i = first_not_less(l, k);
    const bool is_there = i != l->count && !Rules::less(k, Rules::key_of(l->slots()[i].get()));
    if (is_there) {
      if (yields(l->slots()[i].get())) replace(l->slots()[i], make());
      return false;
    }
    slot fresh = make();
    if (l->count == l->room) {
      try {
        l = resized(*at);
      } catch (...) {
        fresh.let_go();
        throw;
      }
    }
    insert_at(l->slots(), l->count, i, fresh);
    ++l->count;
    ++size_;
    return true;
  }

  // Puts an entry of another tree, which is shared if it is not copied like bytes.
  void put(const slot& of) {
    put(
        Rules::key_of(of.get()), [](const entry&) { return true; },
        [&] {
          of.share();
          return of;
        });
  }

  // Returns whether there was one.
  template <class Q>
  bool erase(const Q& k) {
    if (find(k) == nullptr) return false;
    node** at = &root_;
    for (;;) {
      make_sole(*at);
      if ((*at)->height == 0) break;
      inner_node* const n = inner(*at);
      unsigned i = child_for(n, k);
      if (n->children()[i]->count <= low_count(n->children()[i])) i = fill(n, i, k);
      at = n->children() + i;
    }
    leaf_node* const l = leaf(*at);
    const unsigned i = first_not_less(l, k);
    l->slots()[i].let_go();
    erase_at(l->slots(), l->count, i);
    --l->count;
    --size_;
    while (root_ != nullptr && root_->height != 0 && root_->count == 1) {
      node* const only = inner(root_)->children()[0];
      only->share();
      let_go(std::exchange(root_, only));
    }
    if (size_ == 0) let_go(std::exchange(root_, nullptr));
    return true;
  }

  static constexpr std::size_t block_bytes = bytes_of_block(block_classes - 1);
  static constexpr std::size_t leaf_most =
      std::clamp<std::size_t>((block_bytes - sizeof(leaf_node)) / sizeof(slot), 4, 64);
  static constexpr std::size_t inner_most =
      std::max<std::size_t>((block_bytes - sizeof(inner_node)) / (sizeof(node*) + sizeof(separator)), 4);

  static leaf_node* leaf(node* n) noexcept { return static_cast<leaf_node*>(n); }
  static inner_node* inner(node* n) noexcept { return static_cast<inner_node*>(n); }

  [[nodiscard]] static bool is_full(const node* n) noexcept {
    return n->count == (n->height == 0 ? leaf_most : inner_most);
  }
  [[nodiscard]] static std::size_t low_count(const node* n) noexcept {
    return (n->height == 0 ? leaf_most : inner_most) / 4;
  }
  static const key& sep_key(const separator& s) noexcept {
    if constexpr (lies_in_node<entry>) {
      return s;
    } else {
      return Rules::key_of(s.get());
    }
  }
  static separator separator_of(const slot& s) noexcept {
    if constexpr (lies_in_node<entry>) {
      return Rules::key_of(s.get());
    } else {
      s.share();
      return s;
    }
  }
  static void share(const separator& s) noexcept {
    if constexpr (!lies_in_node<entry>) s.share();
  }
  static void let_go(const separator& s) noexcept {
    if constexpr (!lies_in_node<entry>) s.let_go();
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
      for (unsigned i = 0; i != n->count; ++i) leaf(n)->slots()[i].let_go();
    } else {
      for (unsigned i = 0; i != n->count; ++i) let_go(inner(n)->children()[i]);
      for (unsigned i = 1; i < n->count; ++i) let_go(inner(n)->seps()[i - 1]);
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
    there.let_go();
    ::new (static_cast<void*>(&there)) slot(by);
  }

  // Copies what lies in `from`, without counting.
  static void take_slots(leaf_node* to, const slot* from, unsigned count) noexcept {
    std::uninitialized_copy_n(from, count, to->slots() + to->count);
    to->count = static_cast<std::uint16_t>(to->count + count);
  }
  static void make_sole(node*& n) {
    if (n->is_sole()) return;
    n->height == 0 ? copy_leaf(n) : copy_inner(n);
  }
  static void copy_leaf(node*& n) {
    leaf_node* const old = leaf(n);
    leaf_node* const l = new_leaf(std::min<std::size_t>(old->count + 1u, leaf_most));
    for (unsigned i = 0; i != old->count; ++i) old->slots()[i].share();
    take_slots(l, old->slots(), old->count);
    let_go(std::exchange(n, l));
  }
  static void copy_inner(node*& n) {
    inner_node* const old = inner(n);
    inner_node* const c = new_inner(old->height);
    // Their counts are in as many places of the memory.
    for (unsigned i = 0; i != old->count; ++i) __builtin_prefetch(old->children()[i], 1);
    for (unsigned i = 0; i != old->count; ++i) (c->children()[i] = old->children()[i])->share();
    for (unsigned i = 1; i < old->count; ++i) {
      share(old->seps()[i - 1]);
      ::new (static_cast<void*>(c->seps() + i - 1)) separator(old->seps()[i - 1]);
    }
    c->count = old->count;
    let_go(std::exchange(n, c));
  }
  // In the place of a sole node, one with more room.
  static leaf_node* resized(node*& n) {
    leaf_node* const l = new_leaf(n->count + 1u);
    take_slots(l, leaf(n)->slots(), n->count);
    free_node(std::exchange(n, l));
    return l;
  }
  // -- search

  template <class Q>
  [[nodiscard]] static unsigned first_not_less(const leaf_node* l, const Q& k) {
    return partition(l->count, [&](unsigned i) { return Rules::less(Rules::key_of(l->slots()[i].get()), k); });
  }
  template <class Q>
  [[nodiscard]] static unsigned first_greater(const leaf_node* l, const Q& k) {
    return partition(l->count, [&](unsigned i) { return !Rules::less(k, Rules::key_of(l->slots()[i].get())); });
  }
  template <class Q>
  [[nodiscard]] static unsigned child_for(const inner_node* n, const Q& k) {
    return partition(n->count - 1u, [&](unsigned i) { return !Rules::less(k, sep_key(n->seps()[i])); });
  }
  // How many of the first `count` numbers it holds for; it holds for none behind one for which it does not. Without
  // branches that depend on the keys, if a comparison has none.
  template <class F>
  [[nodiscard]] static unsigned partition(unsigned count, F holds) {
    unsigned first = 0;
    if constexpr (lies_in_node<entry>) {
      for (unsigned length = count; length > 1;) {
        const unsigned half = length / 2;
        first += half * static_cast<unsigned>(holds(first + half - 1));
        length -= half;
      }
      return count == 0 ? 0 : first + (holds(first) ? 1 : 0);
    } else {
      // Each comparison waits for memory. With branches the processor fetches meanwhile what it guesses to be next.
      for (unsigned last = count; first != last;) {
        const unsigned middle = first + (last - first) / 2;
        if (holds(middle)) {
          first = middle + 1;
        } else {
          last = middle;
        }
      }
      return first;
    }
  }
  template <class Q>
  [[nodiscard]] const leaf_node* leaf_for(const Q& k) const {
    const node* n = root_;
    while (n->height != 0) n = inner(n)->children()[child_for(inner(n), k)];
    return leaf(n);
  }
  template <class Q, class F>
  [[nodiscard]] static place bound(const node* root, const Q& k, F in_leaf) {
    if (root == nullptr) return {};
    const node* n = root;
    const node* next = nullptr;  // the nearest child on the right of the way
    while (n->height != 0) {
      const unsigned i = child_for(inner(n), k);
      if (i + 1u != n->count) next = inner(n)->children()[i + 1];
      n = inner(n)->children()[i];
    }
    const unsigned at = in_leaf(leaf(n));
    if (at != n->count) return {leaf(n), at};
    if (next == nullptr) return {};
    while (next->height != 0) next = inner(next)->children()[0];
    return {leaf(next), 0};
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

  // -- growing and shrinking

  void grow() {
    inner_node* const above = new_inner(root_->height + 1u);
    above->children()[0] = root_;
    above->count = 1;
    root_ = above;
  }
  // Copies what lies in `from` from child `first` on, and counts it.
  static void take_children(inner_node* to, const inner_node* from, unsigned first, unsigned count) noexcept {
    for (unsigned i = first; i != first + count; ++i) {
      if (i != first) put_separator(to, from->seps()[i - 1]);
      (to->children()[to->count++] = from->children()[i])->share();
    }
  }
  static void put_separator(inner_node* to, const separator& s) noexcept {
    share(s);
    ::new (static_cast<void*>(to->seps() + to->count - 1)) separator(s);
  }
  static void take_entries(leaf_node* to, const leaf_node* from, unsigned first, unsigned count) noexcept {
    for (unsigned i = first; i != first + count; ++i) from->slots()[i].share();
    take_slots(to, from->slots() + first, count);
  }

  // The node n is sole and has room for one child more; its child i is full. k: the key that is to be put.
  template <class Q>
  static void split(inner_node* n, unsigned i, const Q& k) {
    node* const full = n->children()[i];
    if (full->height == 0) {
      const unsigned count = full->count;
      // Keys that come in their order leave full leaves behind.
      const bool goes_on = i + 1u == n->count && Rules::less(Rules::key_of(leaf(full)->slots()[count - 1].get()), k);
      const unsigned left = goes_on ? count - 1 : count / 2;
      holder low(new_leaf(left));
      leaf_node* const high = new_leaf(std::max(count - left, count / 2));
      take_entries(leaf(low.n), leaf(full), 0, left);
      take_entries(high, leaf(full), left, count - left);
      insert_child(n, i, low.release(), high, separator_of(high->slots()[0]));
    } else {
      const unsigned left = full->count / 2;
      holder low(new_inner(full->height));
      inner_node* const high = new_inner(full->height);
      take_children(inner(low.n), inner(full), 0, left);
      take_children(high, inner(full), left, full->count - left);
      share(inner(full)->seps()[left - 1]);
      insert_child(n, i, low.release(), high, separator(inner(full)->seps()[left - 1]));
    }
    let_go(full);
  }
  static void insert_child(inner_node* n, unsigned i, node* low, node* high, const separator& between) noexcept {
    insert_at(n->children(), n->count, i + 1, high);
    insert_at(n->seps(), n->count - 1u, i, between);
    n->children()[i] = low;
    ++n->count;
  }

  // Child i of the sole node n has few entries or children: it gets some of its neighbour's, or they become one.
  // Returns the child to which the key k belongs.
  template <class Q>
  static unsigned fill(inner_node* n, unsigned i, const Q& k) {
    if (n->count == 1) return i;
    const unsigned a = i == 0 ? 0 : i - 1;
    node* const low = n->children()[a];
    node* const high = n->children()[a + 1];
    const unsigned sum = low->count + high->count;
    const std::size_t most = low->height == 0 ? leaf_most : inner_most;
    const unsigned first = sum <= most * 3 / 4 ? sum : sum / 2;  // so many go to the left one
    if (low->height == 0) {
      holder l(new_leaf(first));
      holder r(first == sum ? nullptr : new_leaf(sum - first));
      take_entries(leaf(l.n), leaf(low), 0, std::min<unsigned>(low->count, first));
      if (first > low->count) take_entries(leaf(l.n), leaf(high), 0, first - low->count);
      if (r.n != nullptr) {
        if (first < low->count) take_entries(leaf(r.n), leaf(low), first, low->count - first);
        const unsigned taken = first > low->count ? first - low->count : 0;
        take_entries(leaf(r.n), leaf(high), taken, high->count - taken);
        let_go(std::as_const(n->seps()[a]));
        ::new (static_cast<void*>(n->seps() + a)) separator(separator_of(leaf(r.n)->slots()[0]));
      }
      n->children()[a] = l.release();
      n->children()[a + 1] = r.release();
    } else {
      fill_inner(n, a, inner(low), inner(high), first);
    }
    if (n->children()[a + 1] == nullptr) remove_child(n, a + 1);
    let_go(low);
    let_go(high);
    return child_for(n, k);
  }
  static void fill_inner(inner_node* n, unsigned a, const inner_node* low, const inner_node* high, unsigned first) {
    const unsigned sum = low->count + high->count;
    holder l(new_inner(low->height));
    holder r(first == sum ? nullptr : new_inner(low->height));
    // The children of both in their order, with the separators between them.
    const auto child = [&](unsigned i) {
      return i < low->count ? low->children()[i] : high->children()[i - low->count];
    };
    const auto sep_before = [&](unsigned i) -> const separator& {
      return i < low->count ? low->seps()[i - 1] : i == low->count ? n->seps()[a] : high->seps()[i - low->count - 1];
    };
    for (unsigned i = 0; i != sum; ++i) {
      inner_node* const to = inner(i < first ? l.n : r.n);
      if (to->count != 0) put_separator(to, sep_before(i));
      (to->children()[to->count++] = child(i))->share();
    }
    if (r.n != nullptr) {
      const separator between = sep_before(first);
      share(between);
      let_go(std::as_const(n->seps()[a]));
      ::new (static_cast<void*>(n->seps() + a)) separator(between);
    }
    n->children()[a] = l.release();
    n->children()[a + 1] = r.release();
  }
  static void remove_child(inner_node* n, unsigned i) noexcept {
    let_go(std::as_const(n->seps()[i - 1]));
    erase_at(n->children(), n->count, i);
    erase_at(n->seps(), n->count - 1u, i - 1);
    --n->count;
  }

  node* root_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace tact::detail
